import ArchiveInspection
import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests in a session whose responses come from an archive.
struct Replayer: Sendable {
    /// The result of a request.
    enum Result: Sendable {
        /// The recorded response.
        case answered(status: Int, size: Int)

        /// A response that has the given differences from the recorded response.
        case different([String])

        /// The recorded failure.
        case failed(String)

        /// The entry cannot be replayed, for the given reason.
        case notReplayable(String)

        /// The request could not be sent, for the given reason.
        case notSent(String)
    }

    private let interceptor: Interceptor
    private let session: URLSession
    private let folder: HAR.BodyFolder

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - sizes: The limits.
    /// - Throws: An error if the archive cannot be opened.
    init(archive file: Input, _ sizes: SizeOptions) throws(HARError) {
        folder = sizes.folder(of: file)
        let configuration = URLSessionConfiguration.ephemeral
        // Every response comes from the archive, and every request has its recorded cookies.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        var settings = Interceptor.Configuration()
        // The responses are compared with the recorded ones.
        settings.movedDates = .none
        settings.reader = sizes.reader
        let archive = ReplaySource(of: try file.archive(sizes, allowsDamage: true), named: file.name, in: folder)
        interceptor = Interceptor(name: file.name, playing: [archive], configuration: settings)
        session = interceptor.session(configuration: configuration, delegate: RedirectRefusal())
    }

    /// Stops the interceptor, which writes the use log if there is one.
    func stop() { interceptor.stop() }

    /// Sends the request of an entry, and compares the response with the recorded response.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry.
    /// - Returns: The result.
    func replay(_ entry: HAR.Entry, index: Int) async -> Result {
        let target = URL(text: entry.request.url)
        if let reason = entry.request.unsupportedReason(at: target) { return .notSent(reason) }
        guard let target else { return .notSent("the URL is malformed") }
        do {
            let (body, received) = try await session.data(for: entry.urlRequest(to: target, folder: folder))
            guard let response = received as? HTTPURLResponse else { return .different(["expected an HTTP response"]) }
            let differences = try Comparison(with: entry, folder: folder)
                .differences(from: response, body: body, url: target)
            return differences.isEmpty
                ? .answered(status: response.statusCode, size: body.count) : .different(differences)
        } catch let error as HARError {
            let isOwn = error.context.pointer == JSONPointer(["log", "entries", String(index)])
            guard isOwn, case .notReplayable(let reason) = Replayability(of: entry, folder: folder) else {
                return .different([error.message])
            }
            return .notReplayable(reason)
        } catch let error as URLError where entry.recordsFailure {
            return .failed(MessageRedactor.standard.text(error.recordedText))
        } catch {
            return .different(["error: \(MessageRedactor.standard.text(error.localizedDescription))"])
        }
    }

    /// Requests a URL that has no entry, and returns the miss as a difference.
    func request(_ url: String) async -> Result {
        guard let target = URL(text: url) else { return .notSent("the URL is malformed") }
        do {
            _ = try await session.data(from: target)
            return .different(["expected a miss, found a response"])
        } catch let error as HARError {
            return .different([error.message])
        } catch {
            return .different(["error: \(MessageRedactor.standard.text(error.localizedDescription))"])
        }
    }
}

/// A delegate that refuses redirects, so that each redirect is delivered as a response.
final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension HAR.Entry {
    /// Whether the entry records a failure.
    fileprivate var recordsFailure: Bool {
        response.status <= 0 || [response["_error"], self["_error"], response["_failureText"]].contains { $0 != nil }
    }

    /// Returns the recorded request.
    ///
    /// A 304 response matches only conditional requests, so `If-None-Match: *` is added to the request of a 304 entry
    /// that lacks a conditional header field.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - folder: The folder with the archive's body files.
    /// - Returns: The request.
    /// - Throws: `unreadableFile` if a body file cannot be read.
    fileprivate func urlRequest(to url: URL, folder: HAR.BodyFolder) throws(HARError) -> URLRequest {
        var result = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        result.httpMethod = request.method
        // `URLRequest.addValue(_:forHTTPHeaderField:)` does the same, but compares a name with all other names.
        let fields = request.headers.filter { !$0.name.isEmpty }
            .merged(by: { $0.lowercased() }, separator: { _ in "," })
        result.allHTTPHeaderFields = Dictionary(fields) { first, _ in first }
        if response.status == 304, request.header("if-none-match") == nil, request.header("if-modified-since") == nil {
            result.setValue("*", forHTTPHeaderField: "If-None-Match")
        }
        if let body = try request.bodyData(in: folder), !body.isEmpty { result.httpBody = body }
        return result
    }
}
