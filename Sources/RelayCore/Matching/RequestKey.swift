import Foundation
import HTTPArchive

/// The parts of the method and the URL that a request and an entry must have in common.
///
/// The key contains only the parts that a ``KeyRule`` compares, so a single lookup in a ``KeyIndex`` finds all
/// candidates for a request.
package struct RequestKey: Sendable {
    /// The method in uppercase.
    let method: String

    /// The compared parts of the scheme, host and port.
    let origin: String

    let path: String

    /// The query, reduced to the compared items.
    let query: String

    /// Whether the order of query items is significant.
    let isOrdered: Bool

    /// Creates the key of a request for the default comparison by method and URL.
    ///
    /// - Parameters:
    ///   - method: The method, case-insensitive.
    ///   - url: The URL as text.
    package init(method: String, url: String) {
        self.init(method: method, url: NormalizedURL(url), rule: .methodAndURL)
    }

    /// Creates the key of a request with the parts that a rule compares.
    init(method: String, url: NormalizedURL, rule: KeyRule) {
        let parts = rule.parts
        self.method = parts.contains(.method) ? method.uppercased() : ""
        origin = url.origin(of: parts)
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
    /// Whether two keys created by the same rule are equivalent.
    package static func == (first: Self, second: Self) -> Bool {
        first.method == second.method && first.path == second.path && first.origin == second.origin
            && (first.query == second.query || first.items == second.items)
    }

    /// Hashes the parts of the key.
    ///
    /// The hash does not depend on the order of query items. Computing it allocates no array of items.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(origin)
        hasher.combine(path)
        var query = query
        hasher.combine(query.withUTF8 { Self.hash(ofItemsIn: UnsafeRawBufferPointer($0)) })
    }

    private static func hash(ofItemsIn query: UnsafeRawBufferPointer) -> UInt64 {
        FormItemRanges(query).reduce(0) { items, item in
            items
                &+ item.range.reduce(seed) { hash, offset in
                    let product = (hash ^ UInt64(query[offset])) &* 0x9E37_79B9_7F4A_7C15
                    return product ^ product >> 29
                }
        }
    }

    /// The initial value of each item's hash, chosen at random to prevent crafted collisions.
    private static let seed = UInt64.random(in: 1...UInt64.max)

    /// The query items, sorted unless their order is significant.
    private var items: [Substring] {
        let items = FormEncoding.literalItems(of: query[...])
        return isOrdered ? items : items.sorted()
    }
}

extension RequestKey {
    /// Adds the compared parts to a digest.
    func add(to maker: inout DigestMaker) {
        maker.add(method)
        maker.add(origin)
        maker.add(path)
        maker.add(items)
    }
}

/// A 128-bit digest of a compared part, valid only in this process.
struct Digest: Hashable, Comparable, Sendable {
    fileprivate let high: UInt64
    fileprivate let low: UInt64

    /// The digest of a part that is missing from the archive.
    ///
    /// It does not equal the digest of any intercepted request.
    static let unknown = Digest(high: 0, low: 0)

    static func < (first: Self, second: Self) -> Bool { (first.high, first.low) < (second.high, second.low) }
}

extension Digest {
    /// Creates the digest of a hashable value.
    init(_ value: some Hashable) {
        var maker = DigestMaker()
        maker.add(value)
        self = maker.digest
    }
}

/// Combines several values into a digest, with unambiguous boundaries between the values.
struct DigestMaker {
    private var high = Hasher()
    private var low = Hasher()

    init() {
        // Both hashers use the same per-process seed. An additional first value makes their results independent.
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
