package import ArgumentParser
import Foundation
package import HTTPArchive

/// The conditions on the properties of an entry.
package struct EntryConditions: ParsableArguments {
    /// The methods that completion offers.
    package static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    @Option(help: .init(EntryCondition.host.help))
    package var host: [String] = []

    @Option(help: .init(EntryCondition.url.help, valueName: "pattern"))
    package var url: [String] = []

    @Option(help: .init(EntryCondition.method.help), completion: .list(EntryCondition.method.values))
    package var method: [String] = []

    @Option(help: .init(EntryCondition.status.help), completion: .list(EntryCondition.status.values))
    package var status: [NumberRanges] = []

    @Option(help: .init(EntryCondition.type.help), completion: .list(EntryCondition.type.values))
    package var type: [String] = []

    @Option(help: .init(EntryCondition.since.help))
    package var since: Moment?

    @Option(help: .init(EntryCondition.until.help))
    package var until: Moment?

    @Option(help: .init(EntryCondition.minSize.help), completion: .list(EntryCondition.minSize.values))
    package var minSize: ByteCount?

    @Option(help: .init(EntryCondition.maxSize.help))
    package var maxSize: ByteCount?

    @Option(help: .init(EntryCondition.slowerThan.help), completion: .list(EntryCondition.slowerThan.values))
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

    /// Returns the filter that command-line arguments such as `--status 2xx` describe.
    ///
    /// - Throws: The error of an invalid argument.
    package static func filter(_ arguments: [String]) throws -> HAREntryFilter {
        .all(of: try parse(arguments).alternatives.map(HAREntryFilter.any))
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
