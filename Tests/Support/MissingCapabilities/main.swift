import Foundation
import Innernet
import Logging
import Relay
import RelayLogging

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Sends requests to a URL in every way that an interceptor supports, and prints the results, one per line. The response
// of an interceptor is "stub".
//
// Tests run this program on a simulated platform that lacks a capability, which an environment variable selects.

/// A logger that prints warnings.
struct Printer: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { print("log:", event.message) }
}

func show(_ way: String, _ operation: () async throws -> String) async {
    do { print("\(way):", try await operation()) } catch { print("\(way): error:", error) }
}

func text(_ request: URLRequest, in session: URLSession) async throws -> String {
    String(decoding: try await session.data(for: request).0, as: UTF8.self)
}

guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[2]) else {
    fatalError("Usage: MissingCapabilities scopes|sessions|compatibility|recording URL")
}
let request = URLRequest(url: url)
var configuration = Interceptor.Configuration()
configuration.logger = Logger(label: "test") { _ in Printer() }
let interceptor = Interceptor(entries: [], configuration: configuration)
interceptor.add(.stub(.any, .text("stub")))

switch CommandLine.arguments[1] {
case "scopes":
    print("coverage:", Interceptor.coverage)
    for missing in Interceptor.coverage.missingCapabilities { print("missing:", missing) }
    let own = URLSession(configuration: .default)
    await show("scope") { try await interceptor.interceptEverySession { try await text(request, in: own) } }
    await show("shared") { try await interceptor.interceptEverySession { try await text(request, in: .shared) } }
    await show("synchronous") {
        let task = try interceptor.interceptEverySession { Task { try await text(request, in: own) } }
        return try await task.value
    }
    await show("begun") {
        let interception = try interceptor.beginInterceptingEverySession()
        defer { interception.end() }
        return try await text(request, in: own)
    }
    await show("caller") {
        let interception = try interceptor.beginInterceptingForCaller()
        defer { interception.end() }
        return try await text(request, in: own)
    }
case "sessions":
    let session = interceptor.session()
    await show("session") { try await text(request, in: session) }
    let installed = URLSessionConfiguration.ephemeral
    interceptor.install(in: installed)
    let other = URLSession(configuration: installed)
    await show("installed") { try await text(request, in: other) }
    await show("upload") {
        var upload = request
        upload.httpMethod = "POST"
        return String(decoding: try await session.upload(for: upload, from: Data("body".utf8)).0, as: UTF8.self)
    }
    await show("download") {
        let (file, _) = try await session.download(for: request)
        defer { try? FileManager.default.removeItem(at: file) }
        return try String(contentsOf: file, encoding: .utf8)
    }
    await show("handler") {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: request) { data, _, error in
                continuation.resume(
                    with: error.map { .failure($0) } ?? .success(String(decoding: data ?? Data(), as: UTF8.self)))
            }.resume()
        }
    }
case "compatibility":
    _ = RelayURLProtocol.start(filter: [], request: [FixedProcessor()])
    await show("Relay") { try await text(request, in: .shared) }
    Relay.stop()
    URLProtocol.registerClass(Innernet.InterceptProtocol.self)
    Innernet.intercept(.get, canIntercept: { _ in true }) { _ in
        .mock(status: 200, data: Data("stub".utf8), headers: nil)
    }
    await show("Innernet") { try await text(request, in: .shared) }
case "recording":
    let archive = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).har")
    let recording = try Interceptor(recordingTo: archive, configuration: configuration)
    await show("recorded") { try await text(request, in: recording.session()) }
    _ = await recording.finishRecording()
    await show("archive") { try String(contentsOf: archive, encoding: .utf8) }
    try FileManager.default.removeItem(at: archive)
default: fatalError("Unknown mode \(CommandLine.arguments[1]).")
}

/// A request processor that never uses the network.
struct FixedProcessor: RequestProcessor {
    func process(request: URLRequest) async throws -> NetworkResponse {
        guard let url = request.url,
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        return NetworkResponse(url: url, httpURLResponse: head, responseData: Data("stub".utf8))
    }
}
