#if Server
    import ArchiveView
    import ArgumentParser
    import CompressedArchives
    import EntryConditions
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer

    /// `har proxy`: forwards the requests of any client, and records them.
    struct HarProxy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "har proxy",
            abstract: "Forward the requests of any client, and record them.",
            discussion: """
                Records what an app, a browser, a script or a service requests, in an archive that every HAR tool reads. \
                Secrets are redacted, as by har redact, before they are written. Each exchange is written before its \
                client receives the end of the response, so the archive is always complete and can be read while it grows.

                Clients use the address as an HTTP proxy for http and https URLs, and must trust its certificate \
                authority: see har serve --ca. A command after -- runs with environment variables for both, which curl, \
                Python, Node and most other programs read; har proxy ends with its status. --reverse needs no settings \
                in clients: the address stands for one server.

                Requests that an archive of --from contains are answered from it, and others are forwarded and recorded. \
                With --mode, the output is replayed, too: once replays it if it has entries, and otherwise records; new \
                also records requests that it lacks; never records nothing; all records everything again and then \
                replaces the output. In the modes once and never, requests without an entry get the status 404.

                --filter records only exchanges that meet a condition of har filter, such as --filter status=2xx. \
                Connections to a host of --pass-through, and tunnels with protocols other than HTTP, are neither \
                decrypted nor recorded.

                The proxy listens on 127.0.0.1. With --host, other machines can use it with a token, which is part of the \
                printed address; RELAY_PROXY_TOKEN sets it. The variables http_proxy, https_proxy, all_proxy and no_proxy \
                name a proxy for its own requests.

                SIGINT (Control-C) and SIGTERM stop the proxy after the responses that it is sending.

                Example: har proxy shop.har
                Example: har proxy shop.har -- python3 client.py
                Example: har proxy shop.har --reverse https://api.example.com --port 8080
                """)

        @Argument(help: "The archive to write or append to.", completion: .file(extensions: ["har"]))
        var output: String

        @Argument(parsing: .postTerminator, help: "A command to run, after --.")
        var command: [String] = []

        @Option(help: ArgumentHelp("The address to listen on; 127.0.0.1 needs no token.", valueName: "address"))
        var host = "127.0.0.1"

        @Option(help: "The port; 0 for a free port.")
        var port = 0

        @Option(help: "Which requests are replayed and recorded: once, new, all or never.")
        var mode: ProxyMode?

        @Option(
            help: ArgumentHelp(
                "A condition of har filter on recorded exchanges, such as host=*.example.com or status=2xx.",
                valueName: "name=value"))
        var filter: [String] = []

        @Option(
            name: .customLong("pass-through"),
            help: ArgumentHelp(
                "A host whose connections are passed on unchanged, with its subdomains.", valueName: "host"))
        var passedThrough: [String] = []

        @Option(help: ArgumentHelp("The server that the address stands for.", valueName: "url"))
        var reverse: String?

        @Option(
            help: ArgumentHelp("An archive to respond from, in place of the network.", valueName: "file"),
            completion: .file(extensions: ["har"]))
        var from: [String] = []

        @Option(help: "The rules for selecting entries of --from, as in Swift.")
        var matching = MatchingName.standard

        @Option(help: "A YAML or JSON file with stubs, overrides and routes; see Docs/Serving.md.", completion: .file())
        var rules: String?

        @Option(help: ArgumentHelp("A host whose certificate is not verified.", valueName: "host"))
        var insecure: [String] = []

        @Option(
            help: ArgumentHelp("A PEM file with a certificate authority to trust for servers.", valueName: "file"),
            completion: .file(extensions: ["pem"]))
        var trust: [String] = []

        @Flag(help: "Store bodies in separate files next to the archive.")
        var attach = false

        @Flag(inversion: .prefixedNo, help: "Redact secrets before writing them.")
        var redaction = true

        @Option(help: "The maximum size of the body of a request, in bytes.")
        var maxBody = 32 << 20

        @Flag(help: "Show the exchanges in a page, which can hold and change them; see har view.")
        var view = false

        @Flag(name: .shortAndLong, help: "Print only problems.")
        var quiet = false

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func validate() throws {
            if output == "-" { throw ValidationError("expected a file, found standard output") }
            if quiet, json { throw ValidationError("--quiet cannot be used with --json") }
            guard 0...65535 ~= port else { throw ValidationError("--port must be from 0 to 65535") }
            guard maxBody > 0 else { throw ValidationError("--max-body must be greater than 0") }
            _ = try conditions()
        }

        func run() async throws {
            CompressedArchives.enable()
            // The output of the command must not be mixed with lines of the proxy.
            let lines = ServeOutput(
                isQuiet: quiet, isJSON: json, to: command.isEmpty ? .standardOutput : .standardError)
            let signals = StopSignals()
            let target = try ProxyTarget(output, mode: mode)
            let (interceptor, page) = try interceptor(for: target)
            var settings = try settings(printingTo: lines)
            settings.gate = page?.live?.gate(for:)
            let server = try await RelayServer.start(interceptor, configuration: settings)
            let token = settings.forwarding?.token
            let shown = try await page?.start()
            lines.begin(
                server, token: token, recordingTo: target.records ? target.recording.path : nil,
                reverses: reverse == nil ? nil : server.mappedOrigin, page: shown?.address)
            var status: Int32 = 0
            if command.isEmpty {
                await signals.wait()
            } else {
                do {
                    status = try await ProxiedCommand(command, through: server, token: token).run()
                } catch {
                    await server.stop(within: .zero)
                    throw error
                }
            }
            await server.stop()
            await shown?.server.stop(within: .zero)
            let failures = await interceptor.settleRecording()
            let report = await interceptor.finishRecording()
            try target.finish(report)
            if target.records { lines.end(report?.recordedCount ?? 0, recordedTo: output) }
            lines.finish()
            if let failure = failures.first ?? report?.failures.first { throw failure }
            if status != 0 { throw ExitCode(status) }
        }

        private func ruleFile() throws -> RuleFile? {
            try rules.map { try RuleFile(contentsOf: URL(fileURLWithPath: $0)) }
        }

        private func interceptor(for target: ProxyTarget) throws -> (Interceptor, Page?) {
            var settings = Interceptor.Configuration()
            let (recorded, continuation) = AsyncStream.makeStream(of: HAR.Entry.self)
            if view {
                settings.timeLimit = Page.timeLimit
                settings.recording.entryHandler = { continuation.yield($0) }
            }
            settings.matching = matching.rules
            settings.recording.bodies = attach ? .attach : .embed
            if !redaction { settings.recording.redaction = nil }
            settings.recording.condition = try conditions()
            let archives = try (target.replayed + from.map { URL(fileURLWithPath: $0) }).map { url in
                let archive = try HARArchive(contentsOf: url, index: .use())
                // Recording removes an incomplete end of the output, such as after a crash.
                let isOutput = target.records && url == target.recording
                if let damage = archive.damage, !isOutput { throw damage }
                return archive
            }
            let interceptor: Interceptor
            if target.records {
                let losesEnd = (try? HARArchive(contentsOf: target.recording))?.damage != nil
                interceptor = try Interceptor(
                    recordingTo: target.recording, replaying: archives, configuration: settings)
                if losesEnd {
                    ServeOutput.warn(
                        "\(MessageText.printable(output)): removed an incomplete entry or field at the end")
                }
            } else if archives.isEmpty {
                throw RelayError(
                    .invalidSetting,
                    "There is nothing to replay, because \(MessageText.printable(output)) does not exist. Record it first, "
                        + "or name another archive with --from.")
            } else {
                interceptor = Interceptor(playing: archives, configuration: settings)
            }
            if let file = try ruleFile() { interceptor.add(file.rules) }
            guard view else { return (interceptor, nil) }
            let archive = target.records ? target.recording : nil
            return (interceptor, try Page(of: interceptor, archives: archives, recordingTo: archive, recorded))
        }

        /// Returns the condition on recorded entries, or nil for none.
        private func conditions() throws -> (@Sendable (HAR.Entry) -> Bool)? {
            guard !filter.isEmpty else { return nil }
            let arguments = try filter.flatMap { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts[0] == "failed" || parts.count == 2 else {
                    throw ValidationError("--filter must be a name and a value, such as status=2xx, found '\(text)'")
                }
                return ["--" + parts[0]] + parts.dropFirst().map(String.init)
            }
            do {
                let filter = try EntryConditions.filter(arguments)
                return { filter.selects($0, at: 0) }
            } catch {
                throw ValidationError("--filter: \(EntryConditions.message(for: error))")
            }
        }

        private func settings(printingTo lines: ServeOutput) throws -> RelayServer.Configuration {
            var configuration = RelayServer.Configuration()
            configuration.host = host
            configuration.port = port
            configuration.mappedOrigin = reverse
            configuration.authority = try .stored()
            configuration.limits.bodySize = maxBody
            configuration.webSockets.rules = try ruleFile()?.webSocketRules ?? []
            configuration.log = { lines.print($0) }
            configuration.logsExchanges = !quiet
            var forwarding = RelayServer.Forwarding()
            forwarding.insecureHosts = Set(insecure.map { $0.lowercased() })
            forwarding.authorities = trust.map { URL(fileURLWithPath: $0) }
            forwarding.passThroughHosts = Set(passedThrough.map { $0.lowercased() })
            if RequestHost(of: "http://\(host.contains(":") ? "[\(host)]" : host)/")?.isLoopback != true {
                let variable = ProcessInfo.processInfo.environment["RELAY_PROXY_TOKEN"]
                forwarding.token = variable ?? UUID().uuidString.lowercased().filter { $0 != "-" }
            }
            configuration.forwarding = forwarding
            return configuration
        }
    }
#endif
