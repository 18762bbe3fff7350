import Foundation

/// A cache of responses created from entries.
///
/// The cache is emptied when the total size of its responses would exceed the limit.
struct ResponseCache: Sendable {
    /// A cached response.
    struct Response: Sendable {
        /// The response, with the URL of the first request that it was read for.
        let response: InterceptedResponse

        /// The method of the first request.
        let method: String

        /// The response to deliver for requests with the same method and URL.
        let reply: Reply

        /// The preconditions of the recorded request.
        let conditions: Conditions?

        /// The time at which the response was received, or `nil` if it contains no dates to move.
        let received: Date?

        init(
            _ response: InterceptedResponse, to request: InterceptedRequest, recordedUnder conditions: Conditions?,
            received: Date? = nil
        ) {
            self.response = response
            self.conditions = conditions
            self.received = received
            method = request.method
            reply = Reply.response(response).cached(for: request)
        }
    }

    /// The maximum size of a cached response, in bytes.
    private let responseLimit: Int

    /// The maximum total size of cached responses, in bytes.
    private let limit: Int

    private var responses: [Int: Response] = [:]
    private var size = 0

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - responseLimit: The maximum size of a cached response, in bytes.
    ///   - limit: The maximum total size of cached responses, in bytes.
    init(responseLimit: Int = 1 << 16, limit: Int = 1 << 21) {
        self.responseLimit = responseLimit
        self.limit = limit
    }

    /// Returns the cached response of an entry, or `nil` if it is not cached.
    subscript(entry: Int) -> Response? { responses[entry] }

    /// Adds the response of an entry, unless it exceeds the size limit.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - entry: The entry index.
    mutating func keep(_ response: Response, of entry: Int) {
        let size = Self.size(of: response.response)
        guard size <= responseLimit, responses[entry] == nil else { return }
        if self.size + size > limit {
            responses = [:]
            self.size = 0
        }
        responses[entry] = response
        self.size += size
    }

    /// Returns the approximate memory usage of a response, in bytes.
    private static func size(of response: InterceptedResponse) -> Int {
        response.headers.reduce(300 + response.url.utf8.count + response.body.count) {
            $0 + 32 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}

/// A cache of the candidate entries for request keys.
///
/// Keys with few entries are evicted when their number reaches a limit. Keys with many entries are never evicted,
/// because finding their entries again would be slow. The total number of their entries is limited because each entry
/// has only one key.
struct CandidateCache: Sendable {
    /// The maximum number of keys with few entries.
    private let keyLimit: Int

    /// The maximum number of entries of a key that counts as having few.
    private let fewEntries: Int

    private var small: [RequestKey: KeyedEntries] = [:]
    private var large: [RequestKey: KeyedEntries] = [:]

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - keyLimit: The maximum number of keys with few entries.
    ///   - fewEntries: The maximum number of entries of a key that counts as having few.
    init(keyLimit: Int = 2000, fewEntries: Int = 100) {
        self.keyLimit = keyLimit
        self.fewEntries = fewEntries
    }

    /// Returns the cached entries of a key, or `nil` if the key is not cached.
    subscript(key: RequestKey) -> KeyedEntries? { small[key] ?? large[key] }

    /// Adds the entries of a key, unless the key is already cached.
    ///
    /// - Returns: The cached entries.
    mutating func keep(_ entries: KeyedEntries, of key: RequestKey) -> KeyedEntries {
        if let kept = self[key] { return kept }
        if entries.count > fewEntries {
            large[key] = entries
        } else {
            if small.count >= keyLimit { small.removeAll() }
            small[key] = entries
        }
        return entries
    }
}

/// A cache with a limited total size, which evicts the least recently used values.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The total size of all values.
    package private(set) var size = 0

    /// The maximum total size.
    package let limit: Int

    private var values: [Key: (value: Value, size: Int, use: Int)] = [:]

    /// The key of each use, in order.
    ///
    /// A use is outdated if its key was used again or removed.
    private var uses: [Key] = []

    /// The number of leading elements of `uses` that are known to be outdated.
    private var outdatedCount = 0

    /// Creates an empty cache.
    ///
    /// - Parameter limit: The maximum total size, in any unit.
    package init(limit: Int) { self.limit = limit }

    /// Returns the value for a key and marks it as used.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if the key is not cached.
    /// - Complexity: O(1) on average.
    package mutating func value(of key: Key) -> Value? {
        guard let kept = values[key] else { return nil }
        use(kept.value, size: kept.size, of: key)
        return kept.value
    }

    /// Replaces the value for a key.
    ///
    /// A value larger than the limit is not stored.
    ///
    /// - Parameters:
    ///   - value: The new value, or `nil` to remove the current one.
    ///   - size: The size of the value, in the unit of the limit.
    ///   - key: The key.
    /// - Complexity: O(1) on average, excluding evictions.
    package mutating func keep(_ value: Value?, size: Int, of key: Key) {
        remove(key)
        guard let value, size <= limit else { return }
        self.size += size
        use(value, size: size, of: key)
        while self.size > limit {
            if values[uses[outdatedCount]]?.use == outdatedCount { remove(uses[outdatedCount]) }
            outdatedCount += 1
        }
    }

    private mutating func remove(_ key: Key) { size -= values.removeValue(forKey: key)?.size ?? 0 }

    private mutating func use(_ value: Value, size: Int, of key: Key) {
        // Compaction takes amortized constant time per use.
        if uses.count > 4 * values.count + 16 {
            uses = values.sorted { $0.value.use < $1.value.use }.map(\.key)
            outdatedCount = 0
            for (index, key) in uses.enumerated() { values[key]?.use = index }
        }
        values[key] = (value, size, uses.count)
        uses.append(key)
    }
}
