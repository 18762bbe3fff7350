import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes requests one after the other while an archive records them, and says on standard error what came.
struct NetworkRecording {
    private let interceptor: Interceptor
    private let session: URLSession
    private let delegate: AnswerDelegate
    private let lines: Task<Void, Never>

    /// Opens the archive.
    ///
    /// - Parameters:
    ///   - url: The archive, which is continued if it is there.
    ///   - settings: What is recorded, and how.
    ///   - followsRedirects: Whether redirects are followed.
    /// - Throws: What opening the archive throws.
    init(to url: URL, settings: RecordingConfiguration, followsRedirects: Bool) throws(HARError) {
        var configuration = Interceptor.Configuration()
        configuration.recording = settings
        interceptor = try Interceptor(recordingTo: url, configuration: configuration)
        let connection = URLSessionConfiguration.ephemeral
        connection.urlCache = nil
        delegate = AnswerDelegate(followsRedirects: followsRedirects)
        session = interceptor.session(configuration: connection, delegate: delegate)
        let exchanges = interceptor.exchanges
        lines = Task {
            for await exchange in exchanges { Self.write(exchange.line) }
        }
    }

    /// Makes a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The status of the last answer; `nil` when there is none.
    func perform(_ request: URLRequest) async -> Int? { await delegate.status(of: request, in: session) }

    /// Waits until everything is recorded.
    ///
    /// - Throws: Why something could not be recorded; the first reason.
    func finish() async throws {
        let report = await interceptor.finishRecording()
        await lines.value
        if let failure = report?.failures.first { throw failure }
        let count = (report?.recordedCount ?? 0).of("exchange", "exchanges")
        Notice.write("\(count) recorded into \(interceptor.name.printable)")
    }

    private static func write(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

extension ObservedExchange {
    /// The exchange for people, without secrets.
    fileprivate var line: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(bodySize.asBytes)"
            case .failure(let error as URLError) where error.code == .timedOut: "failed: It took too long"
            case .failure(let error): "failed: \(error.localizedDescription)"
            }
        return "\(request.method) \(maskedURL): \(outcome), \((duration / .seconds(1)).asTime)".printable
    }
}
