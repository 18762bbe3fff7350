import ArgumentParser
import HTTPArchive

/// Divides the entries of an archive into parts, using only a few bytes of memory per entry.
struct Parts {
    private let division: Division
    private let limit: Int
    private var parts: [Part] = []
    private var partIndices: [Part.Key: Int] = [:]

    /// The sizes of all entries in bytes, for a division by size.
    private var sizes: [Int] = []
    private var count = 0

    /// Creates an empty division.
    ///
    /// - Parameters:
    ///   - division: The criterion.
    ///   - limit: The maximum number of parts.
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
            let index = partIndices[key] ?? parts.count
            // One part beyond the limit is enough to report the error.
            guard index <= limit else { return }
            if index == parts.count {
                partIndices[key] = index
                parts.append(Part(key: key))
            }
            parts[index].indices.append(count)
        case .count, .size:
            if case .size = division { sizes.append(entry.byteCount ?? 0) }
        }
    }

    /// Returns the parts.
    ///
    /// Call this after adding all entries.
    ///
    /// - Parameter log: The log of the archive. Its size without entries counts toward the size of each part.
    /// - Returns: The parts, in the order of their first entries.
    /// - Throws: `limitExceeded` if there are too many parts.
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
                .limitExceeded,
                "more than \(limit.of("part", "parts")); increase --max-parts, or split by something else with --by")
        }
        return result
    }

    /// Returns parts of at most the given size.
    ///
    /// A larger entry gets a separate part.
    private func divided(into capacity: Int) -> [Part] {
        var parts: [Part] = []
        var left = 0
        for (index, size) in sizes.enumerated() {
            let needed = size + HAR.Log.sizeBetweenEntries
            if parts.isEmpty || needed > left {
                parts.append(Part(key: nil))
                left = capacity
            }
            parts[parts.count - 1].indices.append(index)
            left -= needed
        }
        return parts
    }
}

extension HAR.Log {
    /// The maximum size of the text between two entries, in bytes: a comma, a line break and indentation.
    static let sizeBetweenEntries = 8

    /// The maximum size of the file without entries, in bytes.
    var sizeWithoutEntries: Int {
        let members = fields.members + documentFields.members
        return members.reduce(100) { size, member in
            size + JSONValue.object(JSONObject(members: [member])).data(layout: .pretty).count + 20
        }
    }
}

/// A part of a divided archive.
struct Part {
    /// A property that all entries of a part share.
    enum Key: Hashable {
        case host(String?)
        case page(String?)
    }

    /// The property that all entries share, or `nil` in a division by count or size.
    let key: Key?

    /// The indices of the entries in the archive.
    var indices: [Int] = []

    /// Returns the log of the part, without entries.
    ///
    /// It has all fields of the archive's log, except that a part for a page has only that page.
    func log(of log: HAR.Log) -> HAR.Log {
        guard case .page(let id)? = key, let pages = log.pages else { return log }
        var log = log
        log.pages = pages.filter { $0.id == id }
        return log
    }
}

/// The criterion that assigns entries to parts, as a command-line argument.
enum Division: ExpressibleByArgument {
    /// One part per host.
    case host

    /// One part per page.
    case page

    /// Parts with a fixed number of entries.
    case count(Int)

    /// Parts with a maximum size in bytes.
    case size(Int)

    static let defaultCompletionKind = CompletionKind.list(["host", "page", "count=", "size="])

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

    /// Returns the key of the part that an entry belongs to, or nil in a division by count or size.
    func key(of entry: HAREntryFacts) -> Part.Key? {
        switch self {
        case .host: .host(entry.host)
        case .page: .page(entry.pageref)
        case .count, .size: nil
        }
    }
}
