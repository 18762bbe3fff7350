import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Code that does not know how its requests are answered.
enum Shop {
    /// Returns the body of a path of the shop as text.
    static func text(_ path: String, from session: URLSession = .shared) async throws -> String {
        let (data, _) = try await session.data(from: try url(path))
        return String(decoding: data, as: UTF8.self)
    }

    /// The same with a new session.
    static func textByNewSession(_ path: String) async throws -> String {
        try await text(path, from: URLSession(configuration: .default))
    }

    /// The same with a blocking call.
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
