import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A temporary folder for recordings, and a simulated network to record from.
///
/// The folder is removed when this object is deallocated.
final class RecordingFolder: Sendable {
    let url: URL

    /// A session that responds with the method, the URL and the body of the request, and logs requests.
    let network: URLSession

    /// The URLs that were requested over the network.
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

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Returns the URLs of the entries in an archive in the folder.
    func recorded(_ name: String) throws -> [String] {
        let archive = try HARArchive(contentsOf: url.appendingPathComponent(name))
        return (0..<archive.count).map { archive.summary(at: $0).url }
    }
}
