import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Code that knows nothing of how its requests are answered.
enum Shop {
    /// The body of what a path of the shop gives, as text.
    static func text(_ path: String, from session: URLSession = .shared) async throws -> String {
        let (data, _) = try await session.data(from: try url(path))
        return String(decoding: data, as: UTF8.self)
    }

    /// The same by a session that is made for it.
    static func textByNewSession(_ path: String) async throws -> String {
        try await text(path, from: URLSession(configuration: .default))
    }

    /// The same, waited for by the thread that asks.
    static func waitedText(_ path: String) throws -> String {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<String, any Error> = .success("")
        let task = URLSession.shared.dataTask(with: try url(path)) { data, _, error in
            result = error.map { .failure($0) } ?? .success(String(decoding: data ?? Data(), as: UTF8.self))
            done.signal()
        }
        task.resume()
        done.wait()
        return try result.get()
    }

    private static func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://shop.invalid\(path)") else { throw URLError(.badURL) }
        return url
    }
}
