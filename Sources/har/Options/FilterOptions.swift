import ArgumentParser
import Foundation
import HTTPArchive

/// The conditions of `har filter`.
struct FilterOptions: ParsableArguments {
    @Option(help: "The host, as *.example.com; with its port, or for all ports.")
    var host: [String] = []

    @Option(help: "The whole URL: * stands for any characters but / and ?, and ** for any characters.")
    var url: [String] = []

    @Option(help: "The method.")
    var method: [String] = []

    @Option(help: "The status: 404, 200-299, 5xx.")
    var status: [NumberRanges] = []

    @Option(help: "The media type of the answer, without parameters, as image/*.")
    var type: [String] = []

    @Option(help: "The earliest start, as 2026-01-31T12:00:00Z; UTC unless it says otherwise.")
    var since: Moment?

    @Option(help: "The end of the time in which requests began, itself excluded.")
    var until: Moment?

    @Option(help: "The smallest body of the answer, as 500, 10kB or 1.5MB.")
    var minSize: ByteCount?

    @Option(help: "The largest body of the answer.")
    var maxSize: ByteCount?

    @Flag(help: "The request was not answered.")
    var failed = false

    @Option(help: "The places of the entries, as har entries shows them: 3,7-9.")
    var entries: [NumberRanges] = []

    @Flag(help: "Keep the entries that do not meet the conditions.")
    var invert = false

    func validate() throws {
        guard !conditions.isEmpty else {
            throw ValidationError("Give a condition, such as --host; to copy all entries, use har copy.")
        }
        if (since?.date ?? .distantPast) >= (until?.date ?? .distantFuture) {
            throw ValidationError("No time is since the one given and until the other.")
        }
        if (minSize?.bytes ?? 0) > (maxSize?.bytes ?? .max) {
            throw ValidationError("No size is between those given.")
        }
        if let text = type.flatMap(\.parts).first(where: { !$0.contains("/") && !$0.contains("*") }) {
            throw ValidationError("A media type has a slash, as text/html; this has none: \(text)")
        }
    }

    /// The filter that they are.
    var filter: HAREntryFilter {
        let filter = HAREntryFilter.all(of: conditions)
        return invert ? filter.inverted : filter
    }

    /// A filter for each kind.
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
    /// What stands between commas.
    fileprivate var parts: [String] { split(separator: ",").map(String.init) }
}

/// A time as it is typed: ISO 8601, in UTC unless it says otherwise; a day alone is its begin.
struct Moment: ExpressibleByArgument {
    /// The time.
    let date: Date

    init?(argument: String) {
        let completions = [
            argument, "\(argument)Z", "\(argument):00Z", "\(argument)T00:00:00Z",
        ]
        guard let date = completions.lazy.compactMap(HAR.date).first else { return nil }
        self.date = date
    }
}

/// Numbers as they are typed: `200`, `200-299`, `2xx`, and several with commas between them.
struct NumberRanges: ExpressibleByArgument {
    /// The numbers.
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
