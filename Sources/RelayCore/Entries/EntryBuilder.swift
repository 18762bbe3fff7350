import Foundation
import HTTPArchive
import Synchronization

/// A builder that creates archive entries from network exchanges.
///
/// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/
final class EntryBuilder: Sendable {
    let settings: RecordingConfiguration
    private let redactor: HARRedactor?
    private let repeatable: RepeatableExchange?

    /// The writer for bodies that are not embedded.
    private let files: BodyFiles

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - settings: The settings of the recording.
    ///   - folder: The directory that contains the archive and its body files.
    ///   - redactor: The redactor for secrets; `nil` (the default) records secrets unchanged.
    init(
        settings: RecordingConfiguration = RecordingConfiguration(), folder: URL,
        redactor: HARRedactor? = nil
    ) {
        self.settings = settings
        self.redactor = redactor
        repeatable = settings.repeatable.map(RepeatableExchange.init)
        files = BodyFiles(folder: folder, isPrivate: redactor == nil)
    }

    /// Writes the attached bodies of an exchange to files, and returns its entry.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - page: The identifier of the entry's page; `nil` for none.
    ///   - placeholderCount: A counter to increase by the number of redacted secrets.
    /// - Returns: The redacted entry.
    /// - Throws: `unwritableFile` if a body file cannot be written; `unreadableFile` if a spooled body cannot be read.
    func entry(
        for exchange: CapturedExchange, page: String?, counting placeholderCount: inout Int
    ) throws(HARError) -> HAR.Entry {
        let exchange = repeatable?.form(of: exchange) ?? exchange
        let maker = try knowing(secretsOf: exchange)
        let entry = try maker.wholeEntry(for: exchange, page: page)
        return maker.redactor?.redacted(entry, counting: &placeholderCount) ?? entry
    }

    /// Returns a builder that redacts each secret of the exchange wherever it occurs: in the entry and in body files.
    private func knowing(secretsOf exchange: CapturedExchange) throws(HARError) -> EntryBuilder {
        let sizes = [exchange.request.body?.count ?? 0, exchange.body.count]
        let hasFiles = settings.bodies == .attach || sizes.contains { $0 > settings.largestEmbeddedBody }
        guard hasFiles, let redactor else { return self }
        var embedding = RecordingConfiguration()
        embedding.largestEmbeddedBody = .max
        var small = exchange
        // Bodies that are too large to embed are excluded from this search for secrets.
        if sizes[0] > settings.largestEmbeddedBody { small.request.body = nil }
        if sizes[1] > settings.largestEmbeddedBody { small.body = SpooledBody() }
        let entry = try EntryBuilder(settings: embedding, folder: files.folder).wholeEntry(for: small, page: nil)
        return EntryBuilder(settings: settings, folder: files.folder, redactor: redactor.knowing(secretsOf: entry))
    }

    /// Returns the unredacted entry for an exchange.
    private func wholeEntry(for exchange: CapturedExchange, page: String?) throws(HARError) -> HAR.Entry {
        let timings = exchange.timings
        var entry = HAR.Entry(
            startedDateTime: HAR.text(exchange.start), time: Self.time(timings),
            request: try request(of: exchange), response: try response(of: exchange), timings: Self.recorded(timings))
        entry.serverIPAddress = exchange.wire.serverIPAddress
        entry.connection = exchange.wire.connection
        entry.pageref = page
        entry.comment = exchange.comment
        return entry
    }

    /// Redacts a body and writes it to a file next to the archive.
    ///
    /// - Returns: The file name, and the change in the body's length caused by redaction.
    func attach(_ body: SpooledBody, type: String) throws(HARError) -> (file: String, change: BodyLengthChange) {
        let redacted = try redacted(body, type: type)
        return (try files.keep(redacted, type: type), BodyLengthChange(from: body.count, to: redacted.count))
    }

    private func redacted(_ body: SpooledBody, type: String) throws(HARError) -> SpooledBody {
        guard let redactor else { return body }
        var redacted = SpooledBody()
        do {
            try redactor.redact(body: body.data, mediaType: type) { try redacted.append($0) }
        } catch {
            throw error as? HARError
                ?? HARError(.unwritableFile, "The secrets in a body cannot be redacted, so the body is not written.")
        }
        return redacted
    }

    // MARK: - Timings

    /// Returns the HAR representation of the timings, with 0 for unknown required values.
    private static func recorded(_ measured: CapturedExchange.Timings) -> HAR.Timings {
        HAR.Timings(
            blocked: measured.blocked.map(rounded), dns: measured.dns.map(rounded),
            connect: measured.connect.map(rounded), send: rounded(measured.send ?? 0),
            wait: rounded(measured.wait ?? 0), receive: rounded(measured.receive ?? 0),
            ssl: measured.ssl.map(rounded))
    }

    /// Returns the total time in milliseconds, without `ssl`, which is part of `connect`.
    private static func time(_ timings: CapturedExchange.Timings) -> Double {
        let parts = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive]
        return rounded(parts.reduce(0) { $0 + rounded($1 ?? 0) })
    }

    /// Rounds milliseconds to whole microseconds.
    private static func rounded(_ milliseconds: Double) -> Double {
        let microseconds = (milliseconds * 1000).rounded()
        return microseconds.isFinite ? microseconds / 1000 : 0
    }
}

extension [HeaderField] {
    /// The HAR representation of the fields.
    var recorded: [HAR.Header] { map { HAR.Header(name: $0.name, value: $0.value) } }
}

extension CapturedExchange {
    /// The HTTP version, or `unknown` if it is missing, because HAR requires a value.
    var recordedVersion: String { wire.httpVersion ?? "unknown" }
}

extension EntryBuilder {
    /// Returns the HAR representation of the request.
    func request(of exchange: CapturedExchange) throws(HARError) -> HAR.Request {
        let request = exchange.request
        let url = LiteralURL(request.url)
        var recorded = HAR.Request(
            method: request.method, url: String(url.withoutFragment), httpVersion: exchange.recordedVersion,
            cookies: request.headers.values(named: "cookie").flatMap(CookieHeader.cookies(sentIn:)),
            headers: request.headers.recorded, queryString: FormParser.parameters(of: url),
            headersSize: exchange.wire.requestHeadersSize,
            bodySize: exchange.wire.requestBodySize ?? request.body?.count ?? 0)
        if let body = request.body, !body.isEmpty { try add(body, to: &recorded) }
        return recorded
    }

    /// Embeds the body, or writes it to a file next to the archive if it is too large to embed.
    private func add(_ body: Data, to request: inout HAR.Request) throws(HARError) {
        let label = request.header("content-type") ?? FormParser.undeclaredType
        guard body.count <= settings.largestEmbeddedBody else {
            request.postData = HAR.PostData(mimeType: label)
            let (file, change) = try attach(SpooledBody(body), type: label)
            request.postData?["_file"] = .string(JSONString(file))
            return change.update(&request.fields)
        }
        request.embed(body)
    }
}
