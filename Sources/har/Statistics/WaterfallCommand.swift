import ArgumentParser
import Foundation
import HTTPArchive

/// `har waterfall`: shows when requests ran, as bars.
struct WaterfallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waterfall",
        abstract: "Show the requests of each page as bars on a time axis.",
        discussion: """
            Each page has its own time axis, which begins with its first request and ends with its last response or \
            event. Letters and, on a terminal, colors show the phases: b blocked, d DNS, c connecting, t TLS, s sending, \
            w waiting for the response, r receiving. A dot is a time without a known phase. Vertical lines mark the events \
            of the page: dotted for DOMContentLoaded, solid for load. Their times count from the start of the page. After \
            the bar, a dash is an unknown time. Labels are paths. The host is added if it differs from the host of the \
            page's first request. Requests without a start time are not shown; a warning shows their number. If the archive is damaged, \
            the entries before the error are shown, and the exit status is 1.

            Example: har waterfall page.har
            Example: har waterfall --type js,css --width 160 page.har
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Option(help: "The width of the output in columns; the width of the terminal by default, or 120.")
    var width: Int?

    @Option(help: "The maximum number of requests of each page.")
    var limit: Int?

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if let width, width < 60 { throw ValidationError("--width must be at least 60") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        let archive = try file.archive(sizes, allowsDamage: true)
        let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: sizes.folder(of: file)))
        let (indices, damage) = try selection.indices(in: archive)
        let output = StandardOutput()
        let width = width ?? max(60, Terminal.width ?? 120)
        let pages = WaterfallPage.pages(of: archive, indices)
        for (position, page) in pages.enumerated() {
            if position > 0 { try output.line() }
            try page.write(to: output, archive, width: width, limit: limit ?? .max)
        }
        try output.flush()
        if let damage { throw damage }
        let missing = indices.count - pages.reduce(0) { $0 + $1.entryCount }
        if pages.isEmpty {
            StandardError.line("har: warning: no entry has a start time and matches the conditions")
        } else if missing > 0 {
            let entries = missing.of("entry without a start time is", "entries without a start time are")
            StandardError.line("har: warning: \(entries) not shown")
        }
    }
}
