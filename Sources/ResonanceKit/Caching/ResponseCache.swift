public import Foundation
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Keeps the bodies of answers in memory; over its limit, those go that were not used for the longest time.
public final class ResponseCache: Sendable {
    /// The cache of everyone who has none of their own, with the default limit.
    public static let shared = ResponseCache()

    private let bodies: Mutex<RecentlyUsed<URL, Data>>

    /// Creates a cache.
    ///
    /// - Parameter byteLimit: The number of bytes that are kept at most; 100,000,000 by default.
    public init(byteLimit: Int = 100_000_000) { bodies = Mutex(RecentlyUsed(limit: byteLimit)) }

    /// The number of bytes that are kept.
    public var byteCount: Int { bodies.withLock { $0.size } }

    /// The body of a URL, `nil` for none; one that has more bytes than the limit is not kept.
    public subscript(url: URL) -> Data? {
        get { bodies.withLock { $0.value(of: url) } }
        set { bodies.withLock { $0.keep(newValue, size: newValue?.count ?? 0, of: url) } }
    }

    /// Removes everything.
    public func removeAll() { bodies.withLock { $0 = RecentlyUsed(limit: $0.limit) } }

    /// The body of a URL, from the cache or else from a session, and then kept.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - session: What asks for it; `URLSession.shared` by default.
    /// - Returns: The body.
    /// - Throws: `RESTRequestError.badResponse` for a status outside 200…299, and what the session throws.
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
