#if Server
    import ArgumentParser
    import CompressedArchives
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
                SIGINT (Control-C) and SIGTERM stop the proxy after the responses that it is sending.

                Example: har proxy shop.har
                Example: har proxy shop.har -- python3 client.py
                Example: har proxy shop.har --reverse https://api.example.com --port 8080
                """)

        @Argument(help: "The archive to write or append to.", completion: .file(extensions: ["har"]))
        var output: String

        @Argument(parsing: .postTerminator, help: "A command to run, after --.")
        var command: [String] = []

        @Option(help: "The port; 0 for a free port.")
        var port = 0

        @Option(help: ArgumentHelp("The server that the address stands for.", valueName: "url"))
        var reverse: String?

        @Option(
            help: ArgumentHelp("An archive to respond from, in place of the network.", valueName: "file"),
            completion: .file(extensions: ["har"]))
        var from: [String] = []

        @Option(help: "The rules for selecting entries of --from, as in Swift.")
        var matching = Matching.standard

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

        @Flag(name: .shortAndLong, help: "Print only problems.")
        var quiet = false

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func validate() throws {
            if output == "-" { throw ValidationError("expected a file, found standard output") }
            if quiet, json { throw ValidationError("--quiet cannot be used with --json") }
            guard 0...65535 ~= port else { throw ValidationError("--port must be from 0 to 65535") }
            guard maxBody > 0 else { throw ValidationError("--max-body must be greater than 0") }
        }

        func run() async throws {
            CompressedArchives.enable()
            // The output of the command must not be mixed with lines of the proxy.
            let lines = ServeOutput(
                isQuiet: quiet, isJSON: json, to: command.isEmpty ? .standardOutput : .standardError)
            let signals = StopSignals()
            _ = DescriptorLimit.raise()
            let interceptor = try interceptor()
            let server = try await RelayServer.start(interceptor, configuration: try settings(printingTo: lines))
            lines.begin(server, recordingTo: output, reverses: reverse == nil ? nil : server.mappedOrigin)
            var status: Int32 = 0
            if command.isEmpty {
                await signals.wait()
            } else {
                do {
                    status = try await ProxiedCommand(command, through: server).run()
                } catch {
                    await server.stop(within: .zero)
                    throw error
                }
            }
            await server.stop()
            let failures = await interceptor.settleRecording()
            let report = await interceptor.finishRecording()
            lines.end(report?.recordedCount ?? 0, recordedTo: output)
            lines.finish()
            if let failure = failures.first ?? report?.failures.first { throw failure }
            if status != 0 { throw ExitCode(status) }
        }

        private func interceptor() throws -> Interceptor {
            var settings = Interceptor.Configuration()
            settings.matching = matching.rules
            settings.recording.bodies = attach ? .attach : .embed
            if !redaction { settings.recording.redaction = nil }
            let archives = try from.map { file in
                let archive = try HARArchive(contentsOf: URL(fileURLWithPath: file), index: .use())
                if let damage = archive.damage { throw damage }
                return archive
            }
            let url = URL(fileURLWithPath: output)
            let losesEnd = (try? HARArchive(contentsOf: url))?.damage != nil
            let interceptor = try Interceptor(recordingTo: url, replaying: archives, configuration: settings)
            if losesEnd {
                ServeOutput.warn("\(MessageText.printable(output)): removed an incomplete entry or field at the end")
            }
            if let rules { interceptor.add(try RuleFile(contentsOf: URL(fileURLWithPath: rules)).rules) }
            return interceptor
        }

        private func settings(printingTo lines: ServeOutput) throws -> RelayServer.Configuration {
            var configuration = RelayServer.Configuration()
            configuration.port = port
            configuration.mappedOrigin = reverse
            configuration.authority = try .stored()
            configuration.limits.bodySize = maxBody
            configuration.log = { lines.print($0) }
            configuration.logsExchanges = !quiet
            var forwarding = RelayServer.Forwarding()
            forwarding.insecureHosts = Set(insecure.map { $0.lowercased() })
            forwarding.authorities = trust.map { URL(fileURLWithPath: $0) }
            configuration.forwarding = forwarding
            return configuration
        }
    }
#endif
