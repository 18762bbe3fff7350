import ArchiveInspection
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
        let groups = grouped(try indices(Key(filter: request.text("q"))), columns.map(GroupedTotals.init))
        var response = JSONObject()
        for (column, group) in zip(columns, groups) {
            response[column.rawValue] = .array(
                group.largest(200).map { [.text($0.name), .integer($0.totals.entries)] })
        }
        return .object(response)
    }

    /// Returns the totals of entries in groups.
    private func grouped(_ indices: [UInt32], _ groups: [GroupedTotals]) -> [GroupedTotals] {
        var groups = groups
        for index in indices {
            let summary = archive.summary(at: Int(index))
            for number in groups.indices { groups[number].add(summary) }
        }
        return groups
    }

    /// Returns the totals of the selected entries.
    func overview(_ request: ViewRequest) throws -> JSONValue {
        let listed = 20
        let filter = request.text("q")
        let selected = try indices(Key(filter: filter))
        let statuses = GroupedTotals(by: \.statusClass)
        let groups = grouped(selected, [GroupedTotals(by: .host), GroupedTotals(by: .type), statuses])
        var response = groups[2].sum.json
        let span = span(of: selected.lazy.map(Int.init))
        response["start"] = .time(span?.lowerBound)
        response["end"] = .time(span?.upperBound)
        for (name, group) in zip(["hosts", "types", "statuses"], groups) {
            response[name] = .array(
                group.largest(listed).map { value in
                    var object = value.totals.json
                    object["name"] = .text(value.name)
                    return .object(object)
                })
        }
        for (name, column) in [("slowest", ListColumn.time), ("largest", .size)] {
            let sorted = try indices(Key(filter: filter, column: column, isDescending: true)).prefix(listed)
            response[name] = .array(sorted.filter { column.number(of: archive.summary(at: Int($0))) ?? 0 > 0 }.map(row))
        }
        let failed = selected.lazy.filter { [archive] in archive.summary(at: Int($0)).hasFailed }.prefix(listed)
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
