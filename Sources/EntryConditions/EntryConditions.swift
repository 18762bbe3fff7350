package import ArgumentParser
import Foundation
package import HTTPArchive

/// The conditions on the properties of an entry.
package struct EntryConditions: ParsableArguments {
    /// The methods that completion offers.
    package static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    @Option(help: "A host, such as *.example.com. Without a port, it matches all ports.")
    package var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "A pattern for the whole URL, such as api.example.com/items/*; scheme, host and port are optional. "
                + "* matches any characters except / and ?; ** matches any characters.", valueName: "pattern"))
    package var url: [String] = []

    @Option(
        help: "A request method, such as POST.",
        completion: .list(Self.methods))
    package var method: [String] = []

    @Option(help: "A status, such as 404, 200-299 or 5xx.", completion: .list(["2xx", "3xx", "4xx", "5xx", "404"]))
    package var status: [NumberRanges] = []

    @Option(
        help: ArgumentHelp(
            "The media type of the response, such as image/*, or one of \(MediaTypeNames.list)."),
        completion: .list(MediaTypeNames.all + ["application/json", "image/*", "text/html"]))
    package var type: [String] = []

    @Option(help: "The earliest start time, such as 2026-01-31T12:00:00Z; UTC by default.")
    package var since: Moment?

    @Option(help: "The latest start time, exclusive.")
    package var until: Moment?

    @Option(help: "The minimum size of the response body, such as 500, 10kB or 1.5MB.")
    package var minSize: ByteCount?

    @Option(help: "The maximum size of the response body.")
    package var maxSize: ByteCount?

    @Option(
        help: "The minimum time of the exchange (exclusive), such as 500ms or 2s; in milliseconds without a unit.")
    package var slowerThan: Milliseconds?

    @Flag(help: "Match entries without a response.")
    package var failed = false

    package init() {}

    package func validate() throws {
        // An empty condition, as for an unset variable in a shell, would select all or no entries.
        let options = [
            ("--host", host.contains { $0.parts.isEmpty }), ("--url", url.contains("")),
            ("--method", method.contains { $0.parts.isEmpty }), ("--type", type.contains { $0.parts.isEmpty }),
        ]
        for (name, isEmpty) in options where isEmpty { throw ValidationError("\(name) must not be empty") }
        if start >= end { throw ValidationError("--since must be earlier than --until") }
        if leastSize > greatestSize { throw ValidationError("--min-size must not be greater than --max-size") }
        if let text = type.flatMap(\.parts).first(where: { MediaTypeNames.patterns(of: $0) == nil }) {
            throw ValidationError(
                "expected a media type such as text/html or text/*, or one of \(MediaTypeNames.list), found "
                    + "'\(String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))'")
        }
    }

    /// The filters for each kind of condition.
    ///
    /// At least one filter of each kind must select an entry.
    package var alternatives: [[HAREntryFilter]] {
        let types: [String] = type.flatMap(\.parts).flatMap { MediaTypeNames.patterns(of: $0) ?? [] }
        var alternatives: [[HAREntryFilter]] = [
            host.flatMap(\.parts).map(HAREntryFilter.host), url.map(HAREntryFilter.url),
            method.flatMap(\.parts).map(HAREntryFilter.method), status.flatMap(\.ranges).map(HAREntryFilter.status),
            types.map(HAREntryFilter.mediaType),
        ]
        if failed { alternatives.append([.failed]) }
        if since != nil || until != nil { alternatives.append([.started(in: start..<end)]) }
        if minSize != nil || maxSize != nil { alternatives.append([.bodySize(leastSize...greatestSize)]) }
        if let slowerThan { alternatives.append([.slower(than: slowerThan.count)]) }
        return alternatives.filter { !$0.isEmpty }
    }

    private var start: Date { since?.date ?? .distantPast }
    private var end: Date { until?.date ?? .distantFuture }
    private var leastSize: Int { minSize?.bytes ?? 0 }
    private var greatestSize: Int { maxSize?.bytes ?? .max }
}

extension String {
    /// The comma-separated parts.
    fileprivate var parts: [String] { split(separator: ",").map(String.init) }
}
