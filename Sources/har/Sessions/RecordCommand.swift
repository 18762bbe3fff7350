import ArchiveInspection
import ArchiveRepair
import ArgumentParser
import Foundation
import HTTPArchive
import Relay
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `har record`: sends requests and records the exchanges.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Request URLs and record the exchanges.",
        usage: "har record <output> [<options>] -- <url> ...",
        discussion: """
            The request options work as in curl and apply to all URLs, which are requested one after another. Requests \
            are sent with URLSession, which adds header fields and keeps cookies for the following URLs. As with curl, \
            redirects are followed only with --location; each redirect is then a separate entry. A URL without a \
            scheme is an http URL.

            If the archive exists, entries are appended to it. A new archive and new body files can be read only by you. If \
            the archive is a symbolic link, the file that the link names is written. If its end is missing, the incomplete entry \
            at its end is removed with a warning. A request that takes longer than --max-time is canceled and recorded \
            with the error net::ERR_ABORTED or net::ERR_TIMED_OUT. Secrets are redacted, as by har redact, before they are \
            written. One line per exchange on standard error shows the method, URL, status, size and time, without \
            secrets. Failed requests are also recorded. The exit status is 1 if a request failed or, with --fail, if a \
            response has a status of 400 or higher.

            Example: har record shop.har -- https://shop.example/ https://shop.example/cart
            Example: har record shop.har -H 'Accept-Language: de' --json '{"item": 1}' -- https://shop.example/cart
            """)

    @Argument(help: "The archive to write or append to.", completion: .file(extensions: ["har"]))
    var output: String

    @Argument(help: "The URLs to request.")
    var urls: [String]

    @OptionGroup(title: "Request options")
    var options: RequestOptions

    @Flag(name: [.customShort("L"), .customLong("location")], help: "Follow redirects.")
    var followsRedirects = false

    @Option(
        name: [.customShort("x", allowingJoined: true), .customLong("proxy")],
        help: ArgumentHelp("A proxy for all requests, such as http://localhost:3128.", valueName: "url"))
    var proxy: String?

    @Flag(name: .shortAndLong, help: "Exit with status 1 if a response has a status of 400 or higher.")
    var fail = false

    @Flag(inversion: .prefixedNo, help: "Redact secrets before writing them.")
    var redaction = true

    @Option(
        help: ArgumentHelp(
            "Store bodies in the archive (embed; those above 32 MB in files), in separate files (attach), or not at all "
                + "(omit)."))
    var bodies = BodyStorage.embed

    @Flag(inversion: .prefixedNo, help: "Write the archive with one JSON value per line.")
    var pretty = true

    @OptionGroup var sizes: SizeOptions

    /// The storage of bodies, as a command-line argument.
    enum BodyStorage: String, ExpressibleByArgument, CaseIterable {
        case embed, attach, omit
    }

    func validate() throws {
        if output == "-" {
            throw ValidationError(
                "expected a file, found standard output; the archive is updated in place after each exchange")
        }
        for url in urls {
            if let reason = HAR.Request(url: Self.completed(url)).unsupportedReason {
                throw ValidationError("cannot request '\(url.printable)': \(reason)")
            }
        }
    }

    func run() async throws {
        if let proxy {
            // URLSession on Linux has no proxy setting, but libcurl reads these variables for each request.
            for name in ["http_proxy", "https_proxy"] { setenv(name, proxy, 1) }
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
        }
        let body = try options.body()
        // New files are private, like the files of other commands.
        umask(0o077)
        let recording = try NetworkRecording(
            to: URL(fileURLWithPath: output), settings: settings, limits: sizes.reader,
            followsRedirects: followsRedirects)
        var hasFailed = false
        for text in urls {
            guard let url = URL(text: Self.completed(text)) else { continue }
            let status = await recording.perform(options.request(url, body: body), within: options.timeLimit)
            if status == nil || fail && (status ?? 0) >= 400 { hasFailed = true }
        }
        try await recording.finish()
        if hasFailed { throw ExitCode.failure }
    }

    private var settings: RecordingConfiguration {
        var settings = RecordingConfiguration()
        if !redaction { settings.redaction = nil }
        settings.layout = pretty ? .pretty : .compact
        settings.bodies =
            switch bodies {
            case .embed: .embed
            case .attach: .attach
            case .omit: .omit
            }
        return settings
    }

    /// Returns the URL, with curl's default scheme if it has no scheme.
    static func completed(_ url: String) -> String { LiteralURL(url).scheme == nil ? "http://" + url : url }
}

/// Sends requests one after another, records them, and prints each exchange to standard error.
struct NetworkRecording {
    private let interceptor: Interceptor
    private let session: URLSession
    private let delegate: StatusDelegate
    private let lines: Task<Void, Never>

    /// Opens the archive.
    ///
    /// - Parameters:
    ///   - url: The archive. If it exists, entries are appended to it.
    ///   - settings: The recording settings.
    ///   - limits: The limits for reading an existing archive.
    ///   - followsRedirects: Whether to follow redirects.
    /// - Throws: An error if the archive cannot be opened.
    init(
        to url: URL, settings: RecordingConfiguration, limits: HARReader.Configuration, followsRedirects: Bool
    ) throws(HARError) {
        var configuration = Interceptor.Configuration()
        configuration.reader = limits
        configuration.recording = settings
        let losesEnd = Self.hasIncompleteEnd(url, limits)
        interceptor = try Interceptor(recordingTo: url, configuration: configuration)
        if losesEnd {
            let name = url.relativePath.printable
            StandardError.line("har: warning: \(name): removed an incomplete entry or field at the end")
        }
        let connection = URLSessionConfiguration.ephemeral
        connection.urlCache = nil
        delegate = StatusDelegate(followsRedirects: followsRedirects)
        session = interceptor.session(configuration: connection, delegate: delegate)
        let exchanges = interceptor.exchanges
        lines = Task {
            for await exchange in exchanges { StandardError.line(exchange.line) }
        }
    }

    /// Returns whether an archive ends with an incomplete entry or field, which is removed when entries are appended.
    private static func hasIncompleteEnd(_ url: URL, _ limits: HARReader.Configuration) -> Bool {
        guard (try? HARArchive(contentsOf: url, configuration: limits))?.damage != nil else { return false }
        var isIncomplete = false
        _ = try? HARRepair(
            of: url, to: .none, configuration: limits,
            report: { note in
                if note.kind == .incompleteEntry { isIncomplete = true }
            })
        return isIncomplete
    }

    /// Sends a request.
    ///
    /// The request is canceled after the maximum time, because URLSession only limits the time between two bytes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The maximum time until the response is complete; nil for no limit.
    /// - Returns: The status of the last response, or `nil` without a complete response.
    func perform(_ request: URLRequest, within limit: Duration?) async -> Int? {
        let task = session.dataTask(with: request)
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                task.cancel()
            }
        }
        defer { timer?.cancel() }
        return await withCheckedContinuation { continuation in
            delegate.waiting.withLock { $0[task.taskIdentifier] = continuation }
            task.resume()
        }
    }

    /// Waits until all exchanges are recorded.
    ///
    /// - Throws: The error for the first exchange that could not be recorded.
    func finish() async throws {
        // An exchange that was canceled before is recorded as well, unlike one that is canceled now.
        let failures = await interceptor.settleRecording()
        let report = await interceptor.finishRecording()
        await lines.value
        if let failure = failures.first ?? report?.failures.first { throw failure }
        let count = (report?.recordedCount ?? 0).of("exchange", "exchanges")
        StandardError.notice("\(count) recorded to \(interceptor.name.printable)")
    }
}

extension ObservedExchange {
    /// The exchange as text, without secrets.
    fileprivate var line: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(bodySize.asBytes)"
            // Only the limit on the time cancels a request.
            case .failure(let error as URLError) where [.timedOut, .cancelled].contains(error.code): "failed: timed out"
            case .failure(let error): "failed: \(MessageRedactor.standard.text(error.localizedDescription))"
            }
        return "\(request.method) \(maskedURL): \(outcome), \((duration / .seconds(1)).asTime)".printable
    }
}

/// A delegate that waits for responses and discards their bodies, so that large bodies use no memory.
final class StatusDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let followsRedirects: Bool

    /// The continuations to resume when a task completes, by the identifiers of the tasks.
    fileprivate let waiting = Mutex<[Int: CheckedContinuation<Int?, Never>]>([:])

    /// Creates a delegate.
    ///
    /// - Parameter followsRedirects: Whether to follow redirects. If not, a redirect is the last response.
    init(followsRedirects: Bool) { self.followsRedirects = followsRedirects }

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive _: Data) {}

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let continuation = waiting.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        continuation?.resume(returning: error == nil ? (task.response as? HTTPURLResponse)?.statusCode : nil)
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(followsRedirects ? request : nil)
    }
}
