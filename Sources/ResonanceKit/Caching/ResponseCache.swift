public import Foundation
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An in-memory cache of response bodies that evicts the least recently used ones when it exceeds its limit.
public final class ResponseCache: Sendable {
    /// The default cache, with the default limit.
    public static let shared = ResponseCache()

    private let bodies: Mutex<LRUCache<URL, Data>>

    /// Creates a cache.
    ///
    /// - Parameter byteLimit: The maximum total size of the cached bodies, in bytes; 100,000,000 by default.
    public init(byteLimit: Int = 100_000_000) { bodies = Mutex(LRUCache(limit: byteLimit)) }

    /// The total size of the cached bodies, in bytes.
    public var byteCount: Int { bodies.withLock { $0.size } }

    /// The cached body of a URL, or `nil` if it is not cached.
    ///
    /// A body larger than the limit is not cached.
    public subscript(url: URL) -> Data? {
        get { bodies.withLock { $0.value(of: url) } }
        set { bodies.withLock { $0.keep(newValue, size: newValue?.count ?? 0, of: url) } }
    }

    /// Removes all cached bodies.
    public func removeAll() { bodies.withLock { $0 = LRUCache(limit: $0.limit) } }

    /// Returns the body of a URL from the cache, or requests and caches it.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - session: The session that sends the request; `URLSession.shared` by default.
    /// - Returns: The body.
    /// - Throws: `RESTRequestError.badResponse` for a status outside 200…299, or any error from the session.
    public func data(from url: URL, session: any NetworkSession = URLSession.shared) async throws -> Data {
        if let data = self[url] { return data }
        let (data, response) = try await session.loadData(request: URLRequest(url: url)).await()
        guard let status = (response as? HTTPURLResponse)?.statusCode, 200...299 ~= status else {
            throw RESTRequestError.badResponse
        }
        self[url] = data
        return data
    }
}
