import Foundation

/// What a request and an entry must have in common for the entry to answer the request, of method and URL.
///
/// Everything that a ``KeyRule`` compares is a part of this key, and everything else is left out of it; so finding the
/// entries of a request is one look into a ``KeyIndex``.
package struct RequestKey: Sendable {
    /// The method in upper case.
    let method: String

    /// Scheme, host and port, or those of them that count.
    let origin: String

    let path: String

    /// The items of the query that count; empty when there are none.
    let query: String

    /// Whether the order of the query's items counts.
    let isOrdered: Bool

    /// Creates the key of a request as requests are compared by default: by method and URL.
    ///
    /// - Parameters:
    ///   - method: The method, in any case.
    ///   - url: The URL as text.
    package init(method: String, url: String) {
        self.init(method: method, url: NormalizedURL(url), rule: .methodAndURL)
    }

    /// Creates the key of a request.
    init(method: String, url: NormalizedURL, rule: KeyRule) {
        let parts = rule.parts
        self.method = parts.contains(.method) ? method.uppercased() : ""
        origin = parts.isSuperset(of: .origin) ? url.origin : url.origin(of: parts)
        path = parts.contains(.path) ? url.path : parts.contains(.foldedPath) ? url.foldedPath : ""
        switch rule.query {
        case .ignored: query = ""
        case .items(let names) where !names.isEmpty: query = url.queryItems(ignoring: names).joined(separator: "&")
        case .items, .ordered: query = url.query ?? ""
        }
        isOrdered = if case .ordered = rule.query { true } else { false }
    }
}

extension RequestKey: Hashable {
    /// Whether two keys of one rule are those of requests that ask for the same thing.
    package static func == (first: Self, second: Self) -> Bool {
        first.method == second.method && first.path == second.path && first.origin == second.origin
            && (first.query == second.query || first.items == second.items)
    }

    /// Takes the query's items in any order, without making an array of them.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(origin)
        hasher.combine(path)
        var items: UInt64 = 0
        var item = Self.seed
        for byte in query.utf8 {
            if byte == UInt8(ascii: "&") {
                if item != Self.seed { items &+= item }
                item = Self.seed
            } else {
                item = (item ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
                item ^= item >> 29
            }
        }
        if item != Self.seed { items &+= item }
        hasher.combine(items)
    }

    /// What the items' hashes begin with, which nobody outside can know.
    private static let seed = UInt64.random(in: 1...UInt64.max)

    /// The items of the query in the order in which they are compared.
    private var items: [Substring] {
        let items = query.split(separator: "&")
        return isOrdered ? items : items.sorted()
    }
}

extension RequestKey {
    /// Adds what is compared to a digest.
    func add(to maker: inout DigestMaker) {
        maker.add(method)
        maker.add(origin)
        maker.add(path)
        maker.add(items)
    }
}

/// What stands for a part of a request where parts are only compared: 128 bits, of this process alone.
struct Digest: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// What stands for a part that is not known; it is none of a request that was asked.
    static let unknown = Digest(high: 0, low: 0)

    /// The digest of a value, by what the value takes for equal.
    init(_ value: some Hashable) {
        var maker = DigestMaker()
        maker.add(value)
        self = maker.digest
    }

    fileprivate init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static func < (first: Self, second: Self) -> Bool { (first.high, first.low) < (second.high, second.low) }
}

/// Makes a digest of pieces, which are told apart wherever they end.
struct DigestMaker {
    private var high = Hasher()
    private var low = Hasher()

    init() {
        // Both have the seed of the process; what comes first makes them differ.
        low.combine("low")
    }

    mutating func add(_ bytes: Data) {
        add(bytes.count)
        bytes.withUnsafeBytes { high.combine(bytes: $0) }
        bytes.withUnsafeBytes { low.combine(bytes: $0) }
    }

    mutating func add(_ value: some Hashable) {
        high.combine(value)
        low.combine(value)
    }

    var digest: Digest {
        Digest(high: UInt64(bitPattern: Int64(high.finalize())), low: UInt64(bitPattern: Int64(low.finalize())))
    }
}
