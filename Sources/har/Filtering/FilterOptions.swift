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
