import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A folder for recordings, which is removed when the object is deallocated, and a network to record from.
final class RecordingFolder: Sendable {
    let url: URL

    /// A session that responds with the method, the URL and the body of the request, and logs requests.
    let network: URLSession

    /// The URLs requested over the network.
    let requests = Log<String>()

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("vinyl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let interceptor = Interceptor()
        interceptor.add(
            .stub(.any) { [requests] request in
                requests.append(request.url)
                if request.url.hasSuffix("/start") { return .redirect(to: "/end") }
                let body = String(decoding: request.body ?? Data(), as: UTF8.self)
                return .text("live \(request.method) \(request.url) \(body)", headers: [.init(name: "X-A", value: "b")])
            })
        network = interceptor.session()
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// The URLs of the entries of an archive in the folder.
    func recorded(_ name: String) throws -> [String] {
        let archive = try HARArchive(contentsOf: url.appendingPathComponent(name))
        return (0..<archive.count).map { archive.summary(at: $0).url }
    }
}
