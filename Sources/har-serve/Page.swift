#if Server
    import ArchiveView
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer

    /// The page that shows archives and live traffic.
    struct Page {
        let archives: [HARArchive]
        let live: LiveTraffic?

        /// The time in which a user can decide about a response.
        static let timeLimit = Duration.seconds(86_400)

        /// Starts the server of the page, and returns it with the address of the page, which contains its token.
        func start(port: Int = 0) async throws(RelayError) -> (server: RelayServer, address: String) {
            let responder = ViewResponder(archives, live: live, filesIn: try Self.folder)
            let server = try await Self.serve(port: port) { await responder.reply(to: $0) }
            return (server, "\(server.url.absoluteString)/\(responder.token)/")
        }

        /// Starts a server on 127.0.0.1 that responds with a closure.
        static func serve(
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

    extension Page {
        /// Prepares the page of an interceptor, and observes its exchanges.
        ///
        /// - Parameters:
        ///   - interceptor: The interceptor.
        ///   - archives: The archives that it replays.
        ///   - archive: The archive to which it records, or nil for none.
        ///   - entries: The recorded entries, which are shown in place of the exchanges with the network.
        /// - Throws: `unwritableFile` if exchanges cannot be stored.
        init(
            of interceptor: Interceptor, archives: [HARArchive], recordingTo archive: URL? = nil,
            _ entries: AsyncStream<HAR.Entry>? = nil
        ) throws(HARError) {
            let (live, exchanges) = (try LiveTraffic(of: interceptor, recordingTo: archive), interceptor.exchanges)
            self.init(archives: archives, live: live)
            Task {
                for await exchange in exchanges where archive == nil || exchange.source != .network {
                    live.append(HAR.Entry(exchange, from: archives))
                }
            }
            if let entries { Task { for await entry in entries { live.append(entry) } } }
        }

        /// The folder with the page's files, which is next to the program.
        ///
        /// - Throws: `invalidSetting` if it is missing.
        private static var folder: URL {
            get throws(RelayError) {
                let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
                let names = ["Relay_har-serve.resources", "Relay_har-serve.bundle", "../share/relay"]
                let folders = names.compactMap { program?.appendingPathComponent($0 + "/Page") }
                let found = folders.first { folder in
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent("index.html").path)
                }
                if let found { return found }
                throw RelayError(
                    .invalidSetting,
                    """
                    The files of the page are missing. Keep the folder Relay_har-serve.resources next to the program \
                    har-serve.
                    """)
            }
        }

        /// Opens the address of a page in the user's browser.
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
#endif
