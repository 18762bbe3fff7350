import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Loads each URL in several ways and prints the results, one per line.
//
// The program is linked with Relay but does not use it, so it makes requests like any program that creates no
// interceptor.

func line(_ way: String, _ url: URL, _ result: Result<URLResponse?, any Error>) {
    switch result {
    case .success(let response): print(way, url, (response as? HTTPURLResponse)?.statusCode ?? 0)
    case .failure(let error): print(way, url, error)
    }
}

func result(_ load: () async throws -> URLResponse?) async -> Result<URLResponse?, any Error> {
    do { return .success(try await load()) } catch { return .failure(error) }
}

for url in CommandLine.arguments.dropFirst().compactMap(URL.init(string:)) {
    line("shared", url, await result { try await URLSession.shared.data(from: url).1 })
    let session = URLSession(configuration: .ephemeral)
    line("own", url, await result { try await session.data(from: url).1 })
    line("detached", url, await Task.detached { await result { try await session.data(from: url).1 } }.value)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    // A separate session: libcurl cannot send a body again if the server closes a reused connection.
    let uploading = URLSession(configuration: .ephemeral)
    line("upload", url, await result { try await uploading.upload(for: request, from: Data("x".utf8)).1 })
    let download: Result<URLResponse?, any Error> = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            session.downloadTask(with: url) { _, response, error in
                continuation.resume(returning: error.map { .failure($0) } ?? .success(response))
            }.resume()
        }
    }
    line("download", url, download)
    line("contents", url, Result { _ = try Data(contentsOf: url) }.map { nil })
}
