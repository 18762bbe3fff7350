#if Server
    import ArchiveView
    import ArgumentParser
    import CPlatform
    import CompressedArchives
    import Dispatch
    import EntryConditions
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer

    /// `har serve`: responds to HTTP requests from archives.
    @main struct HarServe: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "har serve",
            abstract: "Respond to HTTP requests from archives.",
            discussion: """
                Any HTTP client can use the server: curl, Python, Node, browsers. There are three ways:

                - By address: the address stands for one recorded host (--map). A request can also name another \
                recorded host in the field Host.
                - As an HTTP proxy, such as with http_proxy, for http and https URLs.
                - By HTTPS, on the same port (--tls prints that address).

                The server speaks HTTP/1.1 and HTTP/2. For HTTPS, clients must trust its certificate authority: see \
                har serve --ca. Nothing is sent to the network. A request that matches no entry gets the status 404, \
                a message that lists the nearest entries, and the field x-relay-miss. SIGINT (Control-C) and SIGTERM \
                stop the server after the responses that it is sending.

                Example: har serve shop.har
                Example: har serve --port 8080 --map api.example.com new.har shop.har

                Prints one line for each request. With --json, prints one object a line: first url, maps and \
                archives (file, entries), then for each request method, url, status or failure, bytes, milliseconds \
                and source; or client and problem for a client that violates HTTP or a limit.
                """)

        @Argument(help: "The archives, in order of precedence.", completion: .file(extensions: ["har"]))
        var files: [String] = []

        @Option(help: "The address to listen on. With 0.0.0.0, other machines can read the archives.")
        var host = "127.0.0.1"

        @Option(help: "The port; 0 for a free port.")
        var port = 0

        @Option(
            help:
                "The recorded host, or origin such as http://localhost:3000, that the server's address stands for (default: the origin of the first entry)."
        )
        var map: String?

        @Option(help: "The rules for selecting entries, as in Swift.")
        var matching = MatchingName.standard

        @Option(help: ArgumentHelp("A query item to ignore when selecting entries.", valueName: "name"))
        var ignoreQuery: [String] = []

        @Option(help: "The status of responses to requests that match no entry.")
        var missStatus = 404

        @Flag(help: "Respond with an empty body if the body of a response was not recorded.")
        var emptyBodies = false

        @Option(help: "The dates in responses that are moved by the time since the recording, as in Swift.")
        var moveDates = Dates.cookies

        @Option(help: "A YAML or JSON file with stubs, overrides and routes; see Docs/Serving.md.", completion: .file())
        var rules: String?

        @Flag(help: "Allow the file of --rules to name body files outside its folder, hidden files and symbolic links.")
        var anyBodyFile = false

        @Option(
            help: "Reproduce the recorded times: 1 for the original speed, 2 for twice the speed (default: no delays).")
        var speed: Double?

        @Option(
            help:
                "When recorded WebSocket messages are sent: after the client's messages (scripted), or at their times (timed)."
        )
        var messages = Messages.scripted

        @Option(
            help: ArgumentHelp("A member to ignore when comparing WebSocket messages of clients.", valueName: "name"))
        var ignoreMember: [String] = []

        @Option(help: "The maximum number of connections.")
        var maxConnections = 1000

        @Option(help: "The maximum size of the body of a request, in bytes; 16 times as much for all requests.")
        var maxBody = 32 << 20

        @Option(help: "The number of seconds after which an idle connection is closed.")
        var idle = 60

        @Flag(help: "Print an https address.")
        var tls = false

        @Flag(help: "Print the path of the certificate authority and how clients trust it, and exit.")
        var ca = false

        @Flag(help: "Show the exchanges in a page, which can hold and change them; see har view.")
        var view = false

        @Flag(name: .shortAndLong, help: "Print only problems.")
        var quiet = false

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func validate() throws {
            if files.isEmpty, rules == nil, !ca { throw ValidationError("expected an archive or --rules") }
            if quiet, json { throw ValidationError("--quiet cannot be used with --json") }
            if let speed, !(speed > 0 && speed.isFinite) {
                throw ValidationError("--speed must be a number greater than 0")
            }
            guard 0...65535 ~= port else { throw ValidationError("--port must be from 0 to 65535") }
            guard 200...999 ~= missStatus else { throw ValidationError("--miss-status must be from 200 to 999") }
            for (name, value) in [("--max-connections", maxConnections), ("--max-body", maxBody), ("--idle", idle)] {
                guard value > 0 else { throw ValidationError("\(name) must be greater than 0") }
            }
        }

        func run() async throws {
            if ca { return try print(CertificateAuthority.stored().trustInstructions) }
            CompressedArchives.enable()
            let output = ServeOutput(isQuiet: quiet, isJSON: json, isEncrypted: tls)
            let signals = StopSignals()
            let descriptors = DescriptorLimit.raise()
            let archives = try files.map { file in
                let archive = try HARArchive(served: file, index: .use())
                if let damage = archive.damage { throw damage }
                return archive
            }
            var settings = Interceptor.Configuration()
            settings.matching = matching.rules.ignoring(queryItems: Set(ignoreQuery))
            settings.missAdvice.namesOptions = true
            settings.deliversMissingBodiesAsEmpty = emptyBodies
            settings.movedDates = moveDates.moved
            if view { settings.timeLimit = Page.timeLimit }
            let interceptor = Interceptor(playing: archives, configuration: settings)
            var configuration = RelayServer.Configuration()
            configuration.webSockets.policy = messages.policy
            configuration.webSockets.ignoredMembers = Set(ignoreMember)
            configuration.webSockets.speed = speed
            if let rules {
                let file = try RuleFile(contentsOf: URL(fileURLWithPath: rules), allowsAnyBodyFile: anyBodyFile)
                interceptor.add(file.rules)
                configuration.webSockets.rules = file.webSocketRules
            }
            if let speed { interceptor.add(.override(.any, .recordedTimings(scaledBy: 1 / speed))) }
            configuration.host = host
            configuration.port = port
            configuration.mappedOrigin = map
            configuration.missStatus = missStatus
            do throws(RelayError) {
                configuration.authority = try .stored()
            } catch {
                // Requests by HTTP do not need the authority.
                if tls { throw error }
                ServeOutput.warn(error.description)
            }
            configuration.limits.connections = max(1, min(maxConnections, descriptors - 32))
            configuration.limits.bodySize = maxBody
            let (total, overflows) = maxBody.multipliedReportingOverflow(by: 16)
            configuration.limits.totalBodySize = overflows ? .max : total
            configuration.limits.idleTime = .seconds(idle)
            configuration.log = { output.print($0) }
            configuration.logsExchanges = !quiet
            let page = view ? try Page(of: interceptor, archives: archives) : nil
            configuration.gate = page?.live?.gate(for:)
            let server = try await RelayServer.start(interceptor, configuration: configuration)
            do {
                try checkMap(server.mappedOrigin, in: interceptor)
            } catch {
                await server.stop(within: .zero)
                throw error
            }
            let shown = try await page?.start()
            output.begin(server, archives: archives, page: shown?.address)
            await signals.wait()
            await shown?.server.stop(within: .zero)
            await server.stop()
            interceptor.stop()
            output.finish()
        }

        /// Throws if the address stands for an origin without entries, unless rules could respond for it.
        private func checkMap(_ origin: String?, in interceptor: Interceptor) throws {
            guard map != nil, rules == nil, let origin else { return }
            let recorded = interceptor.recordedOrigins(limit: 10_000)
            guard !recorded.contains(origin) else { return }
            let shown = recorded.prefix(10).map(MessageText.printable).joined(separator: ", ")
            let more = recorded.count > 10 ? " and \(recorded.count - 10) more" : ""
            throw RelayError(
                .invalidSetting,
                "The archives contain no requests to '\(MessageText.printable(origin))' (--map). Recorded origins: "
                    + (recorded.isEmpty ? "none." : "\(shown)\(more)."))
        }

        static func main() async {
            let arguments = Array(CommandLine.arguments.dropFirst())
            switch arguments.first {
            case "proxy": await run(HarProxy.self, Array(arguments.dropFirst()))
            case "view":
                // Lists that are sorted take much memory for a short time, which would stay in the pool of each thread.
                memory_limit_pools(1)
                await run(HarView.self, Array(arguments.dropFirst()))
            default: await run(HarServe.self, arguments)
            }
        }

        private static func run(_ type: any ParsableCommand.Type, _ arguments: [String]) async {
            StandardStreams.openClosed()
            // One client and one connection to a server for each of a thousand requests, and files.
            DescriptorLimit.extendTable(to: min(DescriptorLimit.raise(), 4096))
            memory_separate_large_blocks()
            signal(SIGPIPE, SIG_IGN)
            signal(SIGXFSZ, SIG_IGN)
            do {
                var command = try type.parseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error as HARError {
                ServeOutput.fail(error.description)
            } catch let error as RelayError {
                ServeOutput.fail(error.description)
            } catch {
                let status = type.exitCode(for: error)
                if status == .success {
                    print(type.fullMessage(for: error))
                    Foundation.exit(0)
                }
                if error is ExitCode { Foundation.exit(status.rawValue) }
                let isUsage = status == .validationFailure
                let message =
                    isUsage
                    ? type.fullMessage(for: error).trimmingPrefix("Error: ").description : error.localizedDescription
                ServeOutput.fail(message, status: isUsage ? 2 : 1)
            }
        }
    }

    extension HARArchive {
        /// Opens an archive whose large bodies are not read into memory.
        convenience init(served file: String, index: IndexUse) throws(HARError) {
            var reader = HARReader.Configuration()
            reader.maximumValueSize = .max
            try self.init(contentsOf: URL(fileURLWithPath: file), configuration: reader, index: index)
        }
    }

    extension CertificateAuthority {
        private var path: String { ShellText.quoted(url?.path ?? "") }

        /// The path of the certificate, and the ways to make clients trust it.
        fileprivate var trustInstructions: String {
            """
            The certificate of the authority: \(path)

            curl       curl --cacert \(path) -x http://127.0.0.1:PORT https://api.example.com/
            OpenSSL    export SSL_CERT_FILE=\(path)
            Python     export REQUESTS_CA_BUNDLE=\(path)
                       (httpx: SSL_CERT_FILE)
            Node       export NODE_EXTRA_CA_CERTS=\(path)
            Chromium   chromium --ignore-certificate-errors-spki-list=\(publicKeyDigest)
                       --proxy-server=http://127.0.0.1:PORT --proxy-bypass-list='<-loopback>' --user-data-dir=FOLDER
            Proxy      export http_proxy=http://127.0.0.1:PORT https_proxy=http://127.0.0.1:PORT

            URLSession on Linux reads none of these settings. Use an Interceptor in the program instead.
            The key in authority.pem, next to the certificate, can sign certificates for any host. Do not share it, and
            do not add the authority to the system's trust store.
            """
        }
    }

    /// The policies for WebSocket messages that the command line can name.
    enum Messages: String, ExpressibleByArgument, CaseIterable {
        case scripted, timed

        var policy: WebSocketPolicy { self == .scripted ? .scripted : .timed }
    }

    /// The dates in responses that the command line can name.
    enum Dates: String, ExpressibleByArgument, CaseIterable {
        case none, cookies, all

        /// The dates that are moved.
        var moved: MovedDates {
            switch self {
            case .none: .none
            case .cookies: .cookies
            case .all: .all
            }
        }
    }

    /// The signals that end the server.
    final class StopSignals {
        private let signals: AsyncStream<Int32>
        private let sources: [any DispatchSourceSignal]

        /// Begins to receive SIGINT and SIGTERM.
        ///
        /// A second signal ends the process at once.
        init() {
            let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
            self.signals = signals
            sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler {
                    continuation.yield(number)
                    signal(number, SIG_DFL)
                }
                source.resume()
                return source
            }
        }

        /// Waits for the first signal.
        func wait() async { for await _ in signals { return } }
    }
#else
    import Foundation
    import HTTPArchive

    /// The program in a package that was built without SwiftNIO.
    @main struct HarServe {
        static func main() {
            let text =
                "har: error: har-serve was built without its server; build it with: "
                + "swift build -c release --traits Server --product har-serve\n"
            StandardStreams.writeToStandardError(text)
            exit(1)
        }
    }
#endif
