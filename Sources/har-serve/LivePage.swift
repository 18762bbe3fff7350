#if Server
    package import ArchiveView
    import Dispatch
    import Foundation
    import HTTPArchive
    package import RelayCore
    import RelayServer
    import Synchronization

    /// The server of a page, or of the console.
    enum PageServer {
        /// Starts a server on 127.0.0.1 that responds with a closure.
        static func start(
            port: Int, _ reply: @escaping @Sendable (InterceptedRequest) async -> Reply
        ) async throws(RelayError) -> RelayServer {
            var settings = Interceptor.Configuration()
            // The page waits for changes, and sorting a large archive takes a while.
            settings.timeLimit = .seconds(60)
            let interceptor = Interceptor(playing: [], configuration: settings)
            interceptor.add(.stub(.any, reply))
            var configuration = RelayServer.Configuration()
            configuration.port = port
            return try await RelayServer.start(interceptor, configuration: configuration)
        }
    }

    /// The files of the page, which are in a folder next to the program.
    enum PageFiles {
        /// The folder.
        ///
        /// - Throws: `invalidSetting` if it is missing.
        static var folder: URL {
            get throws(RelayError) {
                let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
                let names = ["Relay_har-serve.resources", "Relay_har-serve.bundle", "../share/relay"]
                for name in names {
                    guard let folder = program?.appendingPathComponent(name).appendingPathComponent("Page") else {
                        break
                    }
                    let index = folder.appendingPathComponent("index.html").path
                    if FileManager.default.fileExists(atPath: index) { return folder }
                }
                throw RelayError(
                    .invalidSetting,
                    """
                    The files of the page are missing. Keep the folder Relay_har-serve.resources next to the program \
                    har-serve.
                    """)
            }
        }
    }

    /// The user's browser.
    enum Browser {
        /// Opens an address.
        ///
        /// The user can open it instead if this fails.
        static func open(_ address: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            #if os(macOS)
                process.arguments = ["open", address]
            #else
                process.arguments = ["xdg-open", address]
            #endif
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try? process.run()
        }
    }
    extension RelayServer {
        /// Returns the address of a page, which contains its token.
        func address(of responder: ViewResponder) -> String { "\(url.absoluteString)/\(responder.token)/" }
    }

    extension LiveTraffic {
        /// Creates the traffic of an interceptor whose rules can be changed in the form of a rule file.
        convenience init(of interceptor: Interceptor, recordingTo archive: URL? = nil) throws(HARError) {
            try self.init(of: interceptor, recordingTo: archive) { value in
                let file = try RuleFile(value.data(), of: URL(fileURLWithPath: "rules.json"))
                guard file.webSocketRules.isEmpty else {
                    throw RelayError(
                        .invalidRule, "Rules for WebSocket connections cannot be added here. Start with --rules.")
                }
                return file.rules
            }
        }
    }

    /// Requests that match the pattern of the page wait until the user continues them.
    extension LiveTraffic: RequestGate {
        package func verdict(on request: InterceptedRequest) async -> (request: InterceptedRequest, reply: Reply?) {
            await verdict(request, nil)
        }
    }

    /// Passes recorded entries to a page, which is created after the recorder.
    final class LiveRecording: Sendable {
        private let live = Mutex<LiveTraffic?>(nil)

        /// Passes further entries to a page.
        func show(in live: LiveTraffic) { self.live.withLock { $0 = live } }

        func append(_ entry: HAR.Entry) { live.withLock { $0 }?.append(entry) }
    }

    /// The page of a server whose traffic it shows.
    struct LivePage {
        let live: LiveTraffic
        private let archives: [HARArchive]

        /// Whether the exchanges with the network are appended as recorded entries.
        private let isRecording: Bool

        /// The time in which a user can decide about a response.
        static let timeLimit = Duration.seconds(86_400)

        /// Prepares the page of an interceptor.
        init(of interceptor: Interceptor, archives: [HARArchive], recordingTo archive: URL? = nil) throws(HARError) {
            live = try LiveTraffic(of: interceptor, recordingTo: archive)
            self.archives = archives
            isRecording = archive != nil
        }

        /// Shows the events of a server.
        func observe(_ settings: inout RelayServer.Configuration) {
            let (log, live, archives, isRecording) = (settings.log, live, archives, isRecording)
            let logsExchanges = settings.logsExchanges
            let queue = DispatchQueue(label: "har view")
            settings.gate = live
            settings.logsExchanges = true
            settings.log = { event in
                if case .exchange(let exchange) = event {
                    if !(isRecording && exchange.source == .network) {
                        queue.async { live.append(HAR.Entry(exchange, from: archives)) }
                    }
                    guard logsExchanges else { return }
                }
                log?(event)
            }
        }

        /// Starts the server of the page, and returns it with its address.
        func start() async throws(RelayError) -> (server: RelayServer, address: String) {
            let responder = ViewResponder(archives, live: live, filesIn: try PageFiles.folder)
            let server = try await PageServer.start(port: 0) { await responder.reply(to: $0) }
            return (server, server.address(of: responder))
        }
    }
#endif
