import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of a shop's server, used as the code under test.
enum Shop {
    /// Returns the response body for a path of the shop as text.
    static func text(
        _ path: String, host: String = "shop.invalid", from session: URLSession = .shared
    ) async throws -> String {
        let (data, _) = try await session.data(from: try url(path, host: host))
        return String(decoding: data, as: UTF8.self)
    }

    /// Posts JSON to a path of the shop.
    static func post(_ json: String, to path: String, in session: URLSession) async throws {
        var request = URLRequest(url: try url(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        _ = try await session.upload(for: request, from: Data(json.utf8))
    }

    /// Returns the response body for a path of the shop as text, using a new session.
    static func textByNewSession(_ path: String) async throws -> String {
        try await text(path, from: URLSession(configuration: .default))
    }

    /// Returns the response body for a path of the shop as text, using a blocking call.
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

    private static func url(_ path: String, host: String = "shop.invalid") throws -> URL {
        guard let url = URL(string: "http://\(host)\(path)") else { throw URLError(.badURL) }
        return url
    }
}
