import ArgumentParser
import Foundation
import HTTPArchive

/// The conditions of `har filter`.
struct FilterOptions: ParsableArguments {
    @Option(help: "A host, such as *.example.com. Without a port, it matches all ports.")
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "A pattern for the whole URL, such as api.example.com/items/*; scheme, host and port are optional. "
                + "* matches any characters except / and ?; ** matches any characters.", valueName: "pattern"))
    var url: [String] = []

    @Option(
        help: "A request method, such as POST.",
        completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]))
    var method: [String] = []

    @Option(help: "A status, such as 404, 200-299 or 5xx.", completion: .list(["2xx", "3xx", "4xx", "5xx", "404"]))
    var status: [NumberRanges] = []

    @Option(
        help: "The media type of the response, without parameters, such as image/*.",
        completion: .list(["application/json", "image/*", "text/css", "text/html", "text/javascript"]))
    var type: [String] = []

    @Option(help: "The earliest start time, such as 2026-01-31T12:00:00Z; UTC by default.")
    var since: Moment?

    @Option(help: "The latest start time, exclusive.")
    var until: Moment?

    @Option(help: "The minimum size of the response body, such as 500, 10kB or 1.5MB.")
    var minSize: ByteCount?

    @Option(help: "The maximum size of the response body.")
    var maxSize: ByteCount?

    @Flag(help: "Match entries without a response.")
    var failed = false

    @Option(help: "Entry indices, as printed by har entries, such as 3,7-9.")
    var entries: [NumberRanges] = []

    @Flag(help: "Keep the entries that do not match.")
    var invert = false

    func validate() throws {
        if (since?.date ?? .distantPast) >= (until?.date ?? .distantFuture) {
            throw ValidationError("--since must be earlier than --until")
        }
        if (minSize?.bytes ?? 0) > (maxSize?.bytes ?? .max) {
            throw ValidationError("--min-size must not be greater than --max-size")
        }
        guard !conditions.isEmpty else {
            throw ValidationError("expected a condition such as --host; use har copy to copy all entries")
        }
        if let text = type.flatMap(\.parts).first(where: { !$0.contains("/") && !$0.contains("*") }) {
            throw ValidationError("expected a media type such as text/html or text/*, found '\(text.printable)'")
        }
    }

    /// The filter for these options.
    var filter: HAREntryFilter {
        let filter = HAREntryFilter.all(of: conditions)
        return invert ? filter.inverted : filter
    }

    /// The filters, one for each kind of condition.
    private var conditions: [HAREntryFilter] {
        var alternatives = [
            host.flatMap(\.parts).map(HAREntryFilter.host), url.map(HAREntryFilter.url),
            method.flatMap(\.parts).map(HAREntryFilter.method), status.flatMap(\.ranges).map(HAREntryFilter.status),
            type.flatMap(\.parts).map(HAREntryFilter.mediaType), entries.flatMap(\.ranges).map(HAREntryFilter.indices),
        ]
        if failed { alternatives.append([.failed]) }
        if let span { alternatives.append([.started(in: span)]) }
        if let sizes { alternatives.append([.bodySize(sizes)]) }
        return alternatives.filter { !$0.isEmpty }.map(HAREntryFilter.any)
    }

    private var span: Range<Date>? {
        let (start, end) = (since?.date ?? .distantPast, until?.date ?? .distantFuture)
        return since == nil && until == nil || start >= end ? nil : start..<end
    }

    private var sizes: ClosedRange<Int>? {
        let (least, most) = (minSize?.bytes ?? 0, maxSize?.bytes ?? .max)
        return minSize == nil && maxSize == nil || least > most ? nil : least...most
    }
}

extension String {
    /// The comma-separated parts.
    fileprivate var parts: [String] { split(separator: ",").map(String.init) }
}

/// An ISO 8601 time as a command-line argument.
///
/// The time zone is UTC by default, and a date without a time means midnight.
struct Moment: ExpressibleByArgument {
    /// The parsed time.
    let date: Date

    init?(argument: String) {
        let completions = [
            argument, "\(argument)Z", "\(argument):00Z", "\(argument)T00:00:00Z",
        ]
        guard let date = completions.lazy.compactMap(HAR.date).first else { return nil }
        self.date = date
    }
}

/// Numbers as a command-line argument: `200`, `200-299`, `2xx`, or several of these, separated by commas.
struct NumberRanges: ExpressibleByArgument {
    /// The ranges of numbers.
    let ranges: [ClosedRange<Int>]

    init?(argument: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        if let match = text.wholeMatch(of: /([1-9])xx/.ignoresCase()), let digit = Int(match.1) {
            return digit * 100...digit * 100 + 99
        }
        guard let match = text.wholeMatch(of: /(\d+)(?:-(\d+))?/), let first = Int(match.1),
            let last = match.2.map({ Int($0) }) ?? first, first <= last
        else { return nil }
        return first...last
    }
}
