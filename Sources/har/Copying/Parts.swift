import ArgumentParser
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

/// A part of an archive that is split.
struct Part {
    /// What the entries of a part have in common.
    enum Key: Hashable {
        case host(String?)
        case page(String?)
    }

    /// What the entries have in common; `nil` where it is only their place.
    let key: Key?

    /// The places of the entries in the archive.
    var indices: [Int] = []

    /// The log of the part, without its entries.
    ///
    /// Every field of the log goes to every part, but that a part for a page has no other pages.
    func log(of log: HAR.Log) -> HAR.Log {
        guard case .page(let id)? = key, let pages = log.pages else { return log }
        var log = log
        log.pages = pages.filter { $0.id == id }
        return log
    }
}

/// What decides to which part an entry belongs, as it is typed.
enum Division: ExpressibleByArgument {
    /// A part for each host.
    case host

    /// A part for each page.
    case page

    /// Parts of a number of entries.
    case count(Int)

    /// Parts of at most a number of bytes.
    case size(Int)

    init?(argument: String) {
        let words = argument.split(separator: "=", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("host", 1): self = .host
        case ("page", 1): self = .page
        case ("count", 2):
            guard let count = Int(words[1]), count > 0 else { return nil }
            self = .count(count)
        case ("size", 2):
            guard let size = ByteCount(argument: words[1]), size.bytes > 0 else { return nil }
            self = .size(size.bytes)
        default: return nil
        }
    }

    /// What entries of one part have in common; `nil` where it is only their place.
    func key(of entry: HAREntryFacts) -> Part.Key? {
        switch self {
        case .host: .host(entry.host)
        case .page: .page(entry.pageref)
        case .count, .size: nil
        }
    }
}
