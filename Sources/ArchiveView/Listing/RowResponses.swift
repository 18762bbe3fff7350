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
    func rows(_ request: ViewRequest) throws -> JSONValue {
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
            "count": .integer(indices.count), "total": .integer(archive.count), "from": .integer(range.lowerBound),
            "position": .integer(position), "rows": .array(indices[range].map(row)),
        ]
    }

    /// Returns the row of an entry.
    private func row(_ index: UInt32) -> JSONValue {
        let summary = archive.summary(at: Int(index))
        return [
            "i": .integer(Int(index)), "method": .text(summary.method),
            "url": .text(String(summary.url.prefix(Self.longestURL))), "status": .integer(summary.status),
            "type": .text(ListColumn.type.shown(summary.mimeType)), "size": .integer(summary.size),
            "time": .number(summary.time), "started": .time(summary.startedDate), "page": .text(summary.pageref),
            "resource": .text(summary.resourceType), "failed": .bool(summary.isFailed),
            "cached": .bool(summary.isFromCache),
        ]
    }

    /// Returns the phases of entries.
    func phases(_ request: ViewRequest) throws -> JSONValue {
        let indices = request.text("i").split(separator: ",").compactMap { Int($0) }.prefix(ViewRequest.mostRows)
        var phases = JSONObject()
        for index in indices where 0..<archive.count ~= index {
            let isSmall = archive.summary(at: index).byteRange.count <= Self.largestEntry
            phases[String(index)] = isSmall ? (try? archive.entry(at: index))?.timings.phases ?? .null : .null
        }
        return ["phases": .object(phases)]
    }

    // MARK: Totals

    /// Returns the values of the selected entries and how often they occur.
    func counts(_ request: ViewRequest) throws -> JSONValue {
        let columns: [ListColumn] = [.host, .type, .status, .method, .page, .resource]
        var groups = columns.map { _ in GroupedTotals() }
        for index in try indices(Key(filter: request.text("q"))) {
            let summary = archive.summary(at: Int(index))
            for (number, column) in columns.enumerated() {
                if let text = column.text(of: summary) { groups[number].add(summary, to: text) }
            }
        }
        var response = JSONObject()
        for (column, group) in zip(columns, groups) {
            let values = group.largest(200, shown: column.shown)
            response[column.rawValue] = .array(values.map { [.text($0.name), .integer($0.totals.entries)] })
        }
        return .object(response)
    }

    /// Returns the totals of the selected entries.
    func overview(_ request: ViewRequest) throws -> JSONValue {
        let listed = 20
        var all = Totals()
        var span: ClosedRange<Date>?
        var (hosts, types, statuses) = (GroupedTotals(), GroupedTotals(), GroupedTotals())
        var (slowest, largest, failed) = (Ranking(limit: listed), Ranking(limit: listed), [UInt32]())
        for index in try indices(Key(filter: request.text("q"))) {
            let summary = archive.summary(at: Int(index))
            all.add(summary)
            span = summary.span(joining: span)
            hosts.add(summary, to: ListColumn.host.text(of: summary) ?? "")
            types.add(summary, to: summary.mimeType)
            let isFailed = summary.isFailed || summary.status < 100
            statuses.add(summary, to: isFailed ? "failed" : "\(summary.status / 100)xx")
            largest.add(index, summary.size.map(Double.init))
            slowest.add(index, summary.time)
            if summary.hasFailed, failed.count < listed { failed.append(index) }
        }
        var response = all.json
        response["start"] = .time(span?.lowerBound)
        response["end"] = .time(span?.upperBound)
        let groups = [
            ("hosts", hosts.largest(listed, shown: ListColumn.host.shown)),
            ("types", types.largest(listed, shown: ListColumn.type.shown)), ("statuses", statuses.largest(listed)),
        ]
        for (name, values) in groups {
            response[name] = .array(
                values.map { value in
                    var object = value.totals.json
                    object["name"] = .text(value.name)
                    return .object(object)
                })
        }
        for (name, indices) in [("slowest", slowest.indices), ("largest", largest.indices), ("failed", failed)] {
            response[name] = .array(indices.map(row))
        }
        return .object(response)
    }
}

extension HAREntrySummary {
    /// Returns a span of time extended by the exchange.
    func span(joining span: ClosedRange<Date>?) -> ClosedRange<Date>? {
        guard let start = startedDate else { return span }
        let end = start.addingTimeInterval(max(0, time ?? 0) / 1000)
        return min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? end, end)
    }
}

extension HAR.Timings {
    /// The phases in the order of the API: blocked, dns, connect, ssl, send, wait, receive.
    var phases: JSONValue {
        .array([blocked, dns, connect, ssl, send, wait, receive].map { JSONValue.number($0) })
    }
}
