#if Server
    import ArchiveInspection
    import ArchiveView
    import ArgumentParser
    import CompressedArchives
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer

    /// `har view`: shows archives in a browser.
    struct HarView: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "har view",
            abstract: "Show archives in a browser.",
            discussion: """
                Prints the address of a page, and opens it in the browser if the output is a terminal. The page lists, \
                filters and sorts entries, shows their bodies and timings, finds the entry that answers a request, \
                compares entries and archives, and exports a redacted selection. It stays fast with archives of \
                gigabytes, because it reads only what is visible. An index is kept, so that such an archive opens \
                faster the next time (see har index).

                The page is available only on this machine, and only with the token in its address. It loads nothing \
                from the network, and nothing in an archive is run. SIGINT (Control-C) stops the program.

                With --live, the page shows what running programs report: any program that sends entries (see \
                Docs/View.md), and programs that use Innernet's console. har proxy --view and har serve --view open the \
                same page for their clients.

                Example: har view shop.har
                Example: har view before.har after.har
                """)

        @Argument(help: "The archives.", completion: .file(extensions: ["har"]))
        var files: [String] = []

        @Flag(help: "Also show the exchanges that running programs report.")
        var live = false

        @Option(help: "The port for programs that use Innernet's console.")
        var consolePort = ConsoleResponder.port

        @Option(help: "The port; 0 for a free port.")
        var port = 0

        @Flag(inversion: .prefixedNo, help: "Open the page in the browser (default: only in a terminal).")
        var open: Bool?

        @Flag(help: "Print the address as JSON.")
        var json = false

        func validate() throws {
            guard 0...65535 ~= port else { throw ValidationError("--port must be from 0 to 65535") }
            guard 0...65535 ~= consolePort else { throw ValidationError("--console-port must be from 0 to 65535") }
            guard !files.isEmpty || live else { throw ValidationError("expected an archive or --live") }
        }

        func run() async throws {
            CompressedArchives.enable()
            let signals = StopSignals()
            let archives = try files.map { file in
                let archive = try HARArchive(served: file, index: .keep())
                if let damage = archive.damage { ServeOutput.warn("\(damage)") }
                return archive
            }
            let live = live ? try LiveTraffic(of: Interceptor(playing: [])) : nil
            let (page, address) = try await Page(archives: archives, live: live).start(port: port)
            var console: RelayServer?
            if let live {
                let responder = ConsoleResponder(live)
                do {
                    console = try await Page.serve(port: consolePort) { await responder.reply(to: $0) }
                } catch {
                    throw RelayError(
                        error.code,
                        """
                        The console for programs that use Innernet cannot listen on 127.0.0.1:\(consolePort). Stop the \
                        program that uses the port, such as another har view --live, or choose another port with \
                        --console-port. Programs must use the same port: Innernet.enableExternalConsole(port:).
                        """, underlying: error)
                }
            }
            let fields: JSONValue = ["url": .text(address), "console": .text(console?.url.absoluteString)]
            let text = String(decoding: fields.data(layout: .compact), as: UTF8.self)
            let lines = json ? [text] : [address] + (console.map { ["Console for Innernet at \($0.url)"] } ?? [])
            try? FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
            if open ?? (isatty(1) == 1) { Page.open(address) }
            await signals.wait()
            await page.stop(within: .zero)
            await console?.stop(within: .zero)
        }
    }
#endif
