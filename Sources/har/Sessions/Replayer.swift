import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes the requests of an archive's entries through a session that the archive answers.
struct Replayer {
    /// What came of a request.
    enum Result {
        /// The answer that was recorded.
        case answered(status: Int, size: Int)

        /// Something else; what differs.
        case different([String])

        /// The failure that was recorded.
        case failed(String)

        /// The entry holds no answer, for the reason given.
        case notReplayable(String)

        /// The request could not be made, for the reason given.
        case notAsked(String)
    }

    private let interceptor: Interceptor
    private let session: URLSession
    private let folder: HAR.BodyFolder

    /// Prepares a session.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - folder: The folder of the archive, with the settings for the files of bodies.
    /// - Throws: What reading the archive throws.
    init(archive file: Input, folder: HAR.BodyFolder) throws(HARError) {
        self.folder = folder
        let configuration = URLSessionConfiguration.ephemeral
        // Each answer is to come from the archive, and each entry's cookies are those that were recorded.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        var settings = Interceptor.Configuration()
        settings.index = Input.index
        settings.reader.maximumValueSize = max(settings.reader.maximumValueSize, folder.maximumFileSize)
        interceptor = try Interceptor(archive: file.url, configuration: settings)
        session = interceptor.session(configuration: configuration, delegate: RedirectStop())
    }

    /// Ends it, which notes what was used of the archive where a log is kept of that.
    func stop() { interceptor.stop() }

    /// Makes the request of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: Its place in the archive.
    /// - Returns: What came of it.
    func replay(_ entry: HAR.Entry, index: Int) async -> Result {
        if let reason = entry.request.reasonNotToAsk { return .notAsked(reason) }
        do {
            guard let request = try entry.urlRequest(folder: folder) else { return .notAsked("the URL is malformed") }
            let (body, response) = try await session.data(for: request)
            guard let answer = response as? HTTPURLResponse else { return .different(["no answer of HTTP"]) }
            let differences = try Comparison(with: entry, folder: folder)
                .differences(from: answer, body: body, url: request.url)
            return differences.isEmpty
                ? .answered(status: answer.statusCode, size: body.count) : .different(differences)
        } catch let error as HARError {
            let isOwn = error.context.pointer == JSONPointer(["log", "entries", String(index)])
            return isOwn && entry.lacksAnswer ? .notReplayable(error.reason) : .different([error.message])
        } catch let error as URLError where entry.recordsFailure {
            return .failed(error.recordedText)
        } catch {
            return .different(["an error: \(error.localizedDescription)"])
        }
    }

    /// Asks for a URL that no entry has, for what the archive says to that.
    func ask(_ url: String) async -> Result {
        guard let target = URL(text: url) else { return .notAsked("the URL is malformed") }
        do {
            _ = try await session.data(from: target)
            return .different(["an answer that no entry has"])
        } catch let error as HARError {
            return .different([error.message])
        } catch {
            return .different(["an error: \(error.localizedDescription)"])
        }
    }
}

extension HAR.Entry {
    /// Whether the entry says that the request failed.
    fileprivate var recordsFailure: Bool {
        response.status <= 0 || [response["_error"], self["_error"], response["_failureText"]].contains { $0 != nil }
    }

    /// Whether the entry cannot be replayed: no final status, or no body in the archive itself.
    fileprivate var lacksAnswer: Bool { !(200...599).contains(response.status) || response.body.data == nil }
}

/// Keeps a session from following redirects, so that each of them is an answer.
final class RedirectStop: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension HAR.Entry {
    /// The request as it was recorded.
    ///
    /// A 304 answers only clients that have a copy. Where the capture lacks the field that said so, it is made up: `*`,
    /// any copy, which no other entry has.
    ///
    /// - Parameter folder: Where bodies in files of their own are.
    /// - Returns: `nil` when the URL is none.
    /// - Throws: `unreadableFile` when such a file is missing.
    func urlRequest(folder: HAR.BodyFolder) throws(HARError) -> URLRequest? {
        guard let url = URL(text: request.url) else { return nil }
        var result = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        result.httpMethod = request.method
        for header in request.headers where !header.name.isEmpty && !header.name.hasPrefix(":") {
            result.addValue(header.value, forHTTPHeaderField: header.name)
        }
        if response.status == 304, request.header("if-none-match") == nil, request.header("if-modified-since") == nil {
            result.setValue("*", forHTTPHeaderField: "If-None-Match")
        }
        if let body = try request.bodyData(in: folder), !body.isEmpty { result.httpBody = body }
        return result
    }
}
