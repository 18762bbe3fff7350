import HTTPArchive

/// Divides the entries of an archive into parts; of each entry it keeps a few bytes.
struct Parts {
    private let division: Division
    private let limit: Int
    private var parts: [Part] = []
    private var places: [Part.Key: Int] = [:]

    /// The numbers of bytes of all entries, where the size decides.
    private var sizes: [Int] = []
    private var count = 0

    /// Begins.
    ///
    /// - Parameters:
    ///   - division: What decides.
    ///   - limit: The largest number of parts.
    init(by division: Division, limit: Int) {
        self.division = division
        self.limit = limit
    }

    /// Adds the next entry.
    mutating func add(_ entry: HAREntryFacts) {
        defer { count += 1 }
        switch division {
        case .host, .page:
            guard let key = division.key(of: entry) else { return }
            let place = places[key] ?? parts.count
            // More than one above the limit are too many, and are not kept.
            guard place <= limit else { return }
            if place == parts.count {
                places[key] = place
                parts.append(Part(key: key))
            }
            parts[place].indices.append(count)
        case .count, .size:
            if case .size = division { sizes.append(entry.byteCount ?? 0) }
        }
    }

    /// The parts, once all entries were added.
    ///
    /// - Parameter log: The log of the archive, for what it takes in each part.
    /// - Returns: The parts, in the order of their first entries.
    /// - Throws: `limitExceeded` where they are too many.
    func divided(log: HAR.Log) throws(HARError) -> [Part] {
        let result: [Part]
        switch division {
        case .host, .page: result = parts
        case .count(let size):
            result = stride(from: 0, to: count, by: size).prefix(limit + 1).map { start in
                Part(key: nil, indices: Array(start..<min(start + size, count)))
            }
        case .size(let size): result = divided(into: size - log.sizeWithoutEntries)
        }
        guard result.count <= limit else {
            throw HARError(
                .limitExceeded, "There are more than \(limit) parts; allow more with --max-parts, or divide otherwise.")
        }
        return result
    }

    /// Fills each part as far as it goes; an entry that is too large has a part of its own.
    private func divided(into room: Int) -> [Part] {
        var parts: [Part] = []
        var left = 0
        for (index, size) in sizes.enumerated() {
            let needed = size + HAR.Log.sizeBetweenEntries
            if parts.isEmpty || needed > left {
                parts.append(Part(key: nil))
                left = room
            }
            parts[parts.count - 1].indices.append(index)
            left -= needed
        }
        return parts
    }
}

extension HAR.Log {
    /// What stands between two entries at most, in bytes: a comma, the end of the line, and the indentation.
    static let sizeBetweenEntries = 8

    /// What the file takes at most beside its entries, in bytes.
    var sizeWithoutEntries: Int {
        let members = fields.members + documentFields.members
        return members.reduce(100) { size, member in
            size + JSONValue.object(JSONObject(members: [member])).data(layout: .pretty).count + 20
        }
    }
}
