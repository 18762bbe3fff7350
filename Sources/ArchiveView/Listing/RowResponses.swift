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
        let column = try request.choice("sort", ListColumn.index)
        let indices = try indices(
            Key(filter: request.text("q"), column: column, isDescending: request.text("order") == "desc"))
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
        let entry = HAREntryFacts(of: archive, at: Int(index))
        return [
            "i": .integer(Int(index)), "method": .text(entry.method),
            "url": .text(String(entry.url.prefix(Self.longestURL))), "status": .integer(entry.status),
            "type": .text(ListColumn.type.shown(entry.recordedMimeType)), "size": .integer(entry.recordedSize),
            "time": .number(entry.time), "started": .time(entry.startedDate), "page": .text(entry.pageref),
            "resource": .text(entry.resourceType), "failed": .bool(entry.isFailed), "cached": .bool(entry.isFromCache),
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

    /// Returns the values of the selected entries in each column, with the totals of their entries, and the most frequent
    /// value first.
    func counts(_ request: ViewRequest) throws -> JSONValue {
        let columns: [ListColumn] = [.host, .type, .status, .outcome, .method, .page, .resource]
        let groups = totals(of: try indices(Key(filter: request.text("q"))), by: columns)
        var response = JSONObject()
        for (column, group) in zip(columns, groups) {
            let sorted = group.sorted { ($1.value.entries, $0.key) < ($0.value.entries, $1.key) }.prefix(200)
            response[column.rawValue] = .array(sorted.map { .array([.text($0)] + $1.json.members.map(\.value)) })
        }
        return .object(response)
    }

    /// Returns the totals of the selected entries.
    func overview(_ request: ViewRequest) throws -> JSONValue {
        let listed = 20
        let filter = request.text("q")
        let selected = try indices(Key(filter: filter))
        var totals = Totals()
        for index in selected { totals.add(archive.summary(at: Int(index))) }
        var response = totals.json
        let span = span(of: selected.lazy.map(Int.init))
        response["start"] = .time(span?.lowerBound)
        response["end"] = .time(span?.upperBound)
        for (name, column) in [("slowest", ListColumn.time), ("largest", .size)] {
            let sorted = try indices(Key(filter: filter, column: column, isDescending: true)).prefix(listed)
            response[name] = .array(sorted.filter { column.number(of: archive.summary(at: Int($0))) ?? 0 > 0 }.map(row))
        }
        let failed = selected.lazy.filter { [archive] in archive.summary(at: Int($0)).isError }.prefix(listed)
        response["failed"] = .array(failed.map(row))
        return .object(response)
    }
}

extension HAR.Timings {
    /// The phases in the order of the API: blocked, dns, connect, ssl, send, wait, receive.
    var phases: JSONValue {
        .array([blocked, dns, connect, ssl, send, wait, receive].map { JSONValue.number($0) })
    }
}
