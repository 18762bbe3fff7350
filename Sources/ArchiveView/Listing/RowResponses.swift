import ArchiveInspection
import Foundation
import HTTPArchive

/// The responses of the API that list entries.
extension EntryLists {
    /// The maximum length of a URL in a row, in characters.
    private static let longestURL = 2000

    /// The maximum size of an entry that is read for its phases, in bytes.
    private static let largestEntry = 1 << 20

    /// Returns the rows that a request asks for.
    func rows(_ request: ViewRequest) throws(ViewError) -> JSONValue {
        let column = request.text("sort")
        guard let sorted = ListColumn(rawValue: column.isEmpty ? "index" : column) else {
            let names = ListColumn.allCases.map(\.rawValue).joined(separator: ", ")
            throw ViewError(400, "Expected one of \(names) as 'sort'.")
        }
        let indices = try indices(
            Key(filter: request.text("q"), column: sorted, isDescending: request.text("order") == "desc"))
        let range = try request.range(of: indices.count)
        let position = try request.number("around").flatMap { around in
            indices.firstIndex(of: UInt32(clamping: around))
        }
        return [
            "count": .number(indices.count), "total": .number(entries.count), "from": .number(range.lowerBound),
            "position": .number(position), "rows": .array(indices[range].map { row(Int($0)) }),
        ]
    }

    /// Returns the row of an entry.
    func row(_ index: Int) -> JSONValue {
        let summary = entries.summary(at: index)
        return [
            "i": .number(index), "method": .text(summary.method),
            "url": .text(String(summary.url.prefix(Self.longestURL))),
            "status": .number(summary.status), "type": .text(summary.essence), "size": .number(summary.size),
            "time": .number(summary.time), "started": .number(summary.startedMilliseconds),
            "page": .text(summary.pageref), "resource": .text(summary.resourceType),
            "failed": .bool(summary.isFailed), "cached": .bool(summary.isFromCache),
        ]
    }

    /// Returns the phases of entries.
    func phases(_ request: ViewRequest) throws(ViewError) -> JSONValue {
        let indices = request.text("i").split(separator: ",").compactMap { Int($0) }.prefix(ViewRequest.mostRows)
        var phases = JSONObject()
        for index in indices where 0..<entries.count ~= index {
            let isSmall = entries.summary(at: index).byteRange.count <= Self.largestEntry
            phases[String(index)] = isSmall ? (try? entries.entry(at: index))?.timings.phases ?? .null : .null
        }
        return ["phases": .object(phases)]
    }

    // MARK: Totals

    /// The maximum number of values to count.
    private static let mostValues = 200

    /// Returns the values of the selected entries and how often they occur.
    func counts(_ request: ViewRequest) throws(ViewError) -> JSONValue {
        let indices = try indices(Key(filter: request.text("q")))
        var counts: [ListColumn: [String: Int]] = [:]
        for index in indices {
            let summary = entries.summary(at: Int(index))
            counts[.host, default: [:]][summary.host, default: 0] += 1
            // Few types are different, so they are parsed at the end.
            counts[.type, default: [:]][summary.mimeType, default: 0] += 1
            counts[.status, default: [:]][String(summary.status), default: 0] += 1
            counts[.method, default: [:]][summary.method, default: 0] += 1
            if let page = summary.pageref { counts[.page, default: [:]][page, default: 0] += 1 }
            if let type = summary.resourceType { counts[.resource, default: [:]][type, default: 0] += 1 }
        }
        counts[.type] = Dictionary(
            (counts[.type] ?? [:]).map { (HAREntrySummary.essence(of: $0.key), $0.value) }, uniquingKeysWith: +)
        var response = JSONObject()
        for column in [ListColumn.host, .type, .status, .method, .page, .resource] {
            let sorted = (counts[column] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            response[column.rawValue] = .array(
                sorted.prefix(Self.mostValues).map { [.text($0.key), .number($0.value)] })
        }
        return .object(response)
    }

    /// The totals of several entries.
    private struct Totals {
        var entries = 0
        var size = 0
        var time = 0.0
        var failures = 0

        mutating func add(_ summary: HAREntrySummary) {
            entries += 1
            size = size.adding(clamping: summary.size ?? 0)
            time += summary.time ?? 0
            if summary.isFailed || summary.status >= 400 { failures += 1 }
        }

        func object(named name: String? = nil) -> JSONObject {
            var object: JSONObject = [
                "entries": .number(entries), "size": .number(size), "time": .number(time),
                "failures": .number(failures),
            ]
            if let name { object["name"] = .text(name) }
            return object
        }
    }

    /// Returns the totals of the selected entries.
    func overview(_ request: ViewRequest) throws(ViewError) -> JSONValue {
        let indices = try indices(Key(filter: request.text("q")))
        var all = Totals()
        var span: ClosedRange<Double>?
        var groups: [String: [String: Totals]] = [:]
        var largest = Ranking()
        var slowest = Ranking()
        var failed: [UInt32] = []
        for index in indices {
            let summary = entries.summary(at: Int(index))
            all.add(summary)
            span = summary.span(joining: span)
            groups["hosts", default: [:]][summary.host, default: Totals()].add(summary)
            groups["types", default: [:]][summary.mimeType, default: Totals()].add(summary)
            let status = summary.isFailed || summary.status < 100 ? "failed" : "\(summary.status / 100)xx"
            groups["statuses", default: [:]][status, default: Totals()].add(summary)
            largest.add(index, Double(summary.size ?? 0))
            slowest.add(index, summary.time ?? 0)
            if summary.isFailed || summary.status >= 400, failed.count < Ranking.count { failed.append(index) }
        }
        groups["types"] = Dictionary(
            (groups["types"] ?? [:]).map { (HAREntrySummary.essence(of: $0.key), $0.value) },
            uniquingKeysWith: { first, second in
                Totals(
                    entries: first.entries + second.entries, size: first.size.adding(clamping: second.size),
                    time: first.time + second.time, failures: first.failures + second.failures)
            })
        var response = all.object()
        response["start"] = .number(span?.lowerBound)
        response["end"] = .number(span?.upperBound)
        for name in ["hosts", "types", "statuses"] {
            let sorted = (groups[name] ?? [:]).sorted { ($1.value.entries, $0.key) < ($0.value.entries, $1.key) }
            response[name] = .array(sorted.prefix(Ranking.count).map { .object($0.value.object(named: $0.key)) })
        }
        for (name, indices) in [("slowest", slowest.indices), ("largest", largest.indices), ("failed", failed)] {
            response[name] = .array(indices.map { row(Int($0)) })
        }
        return .object(response)
    }
}

/// The entries with the largest values.
private struct Ranking {
    /// The maximum number of entries.
    static let count = 20

    private var entries: [(index: UInt32, value: Double)] = []

    var indices: [UInt32] { entries.map(\.index) }

    mutating func add(_ index: UInt32, _ value: Double) {
        guard value > 0, entries.count < Self.count || value > entries.last?.value ?? 0 else { return }
        let position = entries.firstIndex { $0.value < value } ?? entries.endIndex
        entries.insert((index, value), at: position)
        if entries.count > Self.count { entries.removeLast() }
    }
}

extension HAR.Timings {
    /// The phases in the order of the API: blocked, dns, connect, ssl, send, wait, receive.
    var phases: JSONValue {
        .array([blocked, dns, connect, ssl, send, wait, receive].map { JSONValue.number($0) })
    }
}
