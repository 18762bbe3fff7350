import Foundation
import HTTPArchive

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
    ///   - limit: The maximum number of bytes to decompress in the search for secrets; by default, the redactor's limit.
    /// - Returns: The redacted entry, or nil if its compressed text is larger than the limit. Then, nothing is written.
    /// - Throws: `unwritableFile` if a body file cannot be written; `unreadableFile` if a spooled body cannot be read;
    ///   `limitExceeded` if the search for a pattern of the redaction settings takes too much work.
    func entry(
        for exchange: CapturedExchange, page: String?, counting placeholderCount: inout Int, inflating limit: Int = .max
    ) throws(HARError) -> HAR.Entry? {
        let exchange = repeatable?.form(of: exchange) ?? exchange
        guard let maker = try knowing(secretsOf: exchange, inflating: limit) else { return nil }
        let entry = try maker.wholeEntry(for: exchange, page: page)
        guard let redactor = maker.redactor else { return entry }
        let redacted = redactor.redacted(entry, counting: &placeholderCount, inflating: limit)
        if let failure = redactor.failure { throw failure }
        return redacted
    }

    /// Returns whether the settings allow an exchange to be recorded.
    ///
    /// No body is redacted or written for this.
    func isRecorded(_ exchange: CapturedExchange) throws(HARError) -> Bool {
        guard let condition = settings.condition else { return true }
        var settings = RecordingConfiguration()
        settings.bodies = .omit
        var exchange = exchange
        exchange.request.body = nil
        let builder = EntryBuilder(settings: settings, folder: files.folder)
        return condition(try builder.wholeEntry(for: exchange, page: nil))
    }

    /// Returns a builder that redacts each secret of the exchange wherever it occurs, in the entry and in body files, or nil
    /// if compressed text is larger than a limit in bytes.
    private func knowing(
        secretsOf exchange: CapturedExchange, inflating limit: Int
    ) throws(HARError) -> EntryBuilder? {
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
        return redactor.knowing(secretsOf: entry, inflating: limit).map {
            EntryBuilder(settings: settings, folder: files.folder, redactor: $0)
        }
    }

    /// Returns the unredacted entry for an exchange.
    private func wholeEntry(for exchange: CapturedExchange, page: String?) throws(HARError) -> HAR.Entry {
        let timings = exchange.timings
        let request = try request(of: exchange)
        let response = try response(of: exchange)
        var entry = HAR.Entry(
            startedDateTime: HAR.text(exchange.start), time: Self.time(timings), request: request, response: response,
            timings: Self.recorded(timings))
        entry.serverIPAddress = exchange.wire.serverIPAddress
        entry.connection = exchange.wire.connection
        entry.pageref = page
        entry.comment = exchange.comment
        for (name, value) in exchange.customFields.sorted(by: { $0.key < $1.key }) { entry[name] = value }
        if response.content.size != exchange.body.count { entry.fields.removeChunkSizes() }
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

extension HAR.Request {
    /// Creates the HAR representation of a request with its body.
    package init(_ request: InterceptedRequest) {
        self.init(withoutBody: request)
        if let body = request.body, !body.isEmpty { embed(body) }
    }

    fileprivate init(
        withoutBody request: InterceptedRequest, httpVersion: String = "HTTP/1.1", headersSize: Int? = nil,
        bodySize: Int? = nil
    ) {
        let url = LiteralURL(request.url)
        self.init(
            method: request.method, url: String(url.withoutFragment), httpVersion: httpVersion,
            cookies: request.headers.values(named: "cookie").flatMap(CookieHeader.cookies(sentIn:)),
            headers: request.headers.recorded, queryString: FormParser.parameters(of: url),
            headersSize: headersSize, bodySize: bodySize)
    }
}

extension EntryBuilder {
    /// Returns the HAR representation of the request.
    func request(of exchange: CapturedExchange) throws(HARError) -> HAR.Request {
        let request = exchange.request
        var recorded = HAR.Request(
            withoutBody: request, httpVersion: exchange.recordedVersion,
            headersSize: exchange.wire.requestHeadersSize,
            bodySize: exchange.wire.requestBodySize ?? request.body?.count ?? 0)
        if let body = request.body, !body.isEmpty { try add(body, to: &recorded) }
        return recorded
    }

    /// The maximum size of an embedded request body if bodies are written to files, in bytes.
    ///
    /// Smaller ones are mostly forms and JSON, which are read together with the entry.
    private static var largestRequestText: Int { 1 << 20 }

    /// Embeds the body, or writes it to a file next to the archive if it is too large to embed.
    private func add(_ body: Data, to request: inout HAR.Request) throws(HARError) {
        let label = request.header("content-type") ?? FormParser.undeclaredType
        let limit = settings.bodies == .attach ? Self.largestRequestText : .max
        guard body.count <= min(limit, settings.largestEmbeddedBody) else {
            request.postData = HAR.PostData(mimeType: label)
            let (file, change) = try attach(SpooledBody(body), type: label)
            request.postData?["_file"] = .string(JSONString(file))
            return change.update(&request.fields)
        }
        request.embed(body)
    }
}

extension EntryBuilder {
    /// Returns the HAR representation of the received part of the response.
    func response(of exchange: CapturedExchange) throws(HARError) -> HAR.Response {
        guard let head = exchange.head else {
            var response = HAR.Response(
                status: 0, httpVersion: exchange.recordedVersion, content: HAR.Content(size: 0, mimeType: "x-unknown"))
            Self.add(exchange.error ?? URLError(.badServerResponse), to: &response)
            return response
        }
        let cookies = head.headers.values(named: "set-cookie")
        let label =
            head.headers.values(named: "content-type").first
            ?? (exchange.body.count == 0 ? "x-unknown" : RecordedText.unknownType)
        let bodySize = Self.bodySize(of: exchange, head)
        var response = HAR.Response(
            status: head.status, statusText: head.statusText, httpVersion: exchange.recordedVersion,
            cookies: cookies.compactMap { CookieHeader.cookie($0, at: exchange.start) },
            headers: head.headers.recorded, content: HAR.Content(size: exchange.body.count, mimeType: label),
            redirectURL: InterceptedResponse.isRedirect(head.status)
                ? head.headers.values(named: "location").first ?? "" : "",
            headersSize: exchange.wire.responseHeadersSize, bodySize: bodySize)
        let change = try add(exchange.body, type: label, to: &response)
        if let size = exchange.wire.responseBodySize, exchange.error == nil, head.headers.declareContentCoding {
            response.content.compression = exchange.body.count - size
        }
        if let headersSize = exchange.wire.responseHeadersSize, let bodySize {
            response["_transferSize"] = .number(JSONNumber(headersSize + bodySize))
        }
        response.clientURL = exchange.clientURL
        if let error = exchange.error { Self.add(error, to: &response) }
        change?.update(&response.fields)
        return response
    }

    /// Returns the size of the body on the wire, in bytes, or `nil` if it is unknown.
    private static func bodySize(of exchange: CapturedExchange, _ head: CapturedExchange.Head) -> Int? {
        guard InterceptedResponse.canHaveBody(status: head.status, method: exchange.request.method) else { return 0 }
        if let size = exchange.wire.responseBodySize { return size }
        return head.headers.declareContentCoding ? nil : exchange.body.count
    }

    /// Adds the error that ended an exchange, as Chromium's error name and the `URLError` code.
    private static func add(_ error: any Error, to response: inout HAR.Response) {
        response["_error"] = .string(JSONString(RecordedFailure.text(for: error)))
        if let code = RecordedFailure.code(of: error) {
            response[RecordedFailure.codeField] = .number(JSONNumber(code.rawValue))
        }
    }

    // MARK: - Body

    /// Adds the body, unless the settings exclude it.
    ///
    /// - Returns: The change in the body's length caused by redaction, or nil if the body is not in a file.
    private func add(
        _ body: SpooledBody, type label: String, to response: inout HAR.Response
    ) throws(HARError) -> BodyLengthChange? {
        let type = MediaType(label)
        if body.count == 0 {
            response.content.text = ""
        } else if let reason = reasonToOmit(body, of: type) {
            response.content.comment = "The body was omitted: \(reason.text)."
            response.content["_bodyOmitted"] = .string(JSONString(reason.name))
        } else if settings.bodies == .attach || body.count > settings.largestEmbeddedBody {
            let (file, change) = try attach(body, type: label)
            response.content["_file"] = .string(JSONString(file))
            response.content["_fileEncoding"] = "identity"
            return change
        } else {
            response.embed(body.data, as: type)
        }
        return nil
    }

    /// Returns the reason for omitting a body, or `nil` if the body is recorded.
    private func reasonToOmit(_ body: SpooledBody, of type: MediaType?) -> (name: String, text: String)? {
        if settings.bodies == .omit { return ("setting", "bodies are not recorded") }
        if let wanted = settings.mediaTypes {
            let essence = type?.essence ?? RecordedText.unknownType
            let isWanted = wanted.contains {
                WildcardPattern($0.lowercased(), separators: "/").matches(essence)
            }
            if !isWanted { return ("mediaType", "its media type is excluded") }
        }
        if let limit = settings.maximumBodySize, body.count > limit {
            return ("size", "it is \(MessageText.bytes(body.count)) long, and the limit is \(limit)")
        }
        return nil
    }
}

/// A conversion of exchanges to a reproducible form.
struct RepeatableExchange {
    private let settings: RecordingConfiguration.Repeatable

    /// The names of the header fields to omit, in lowercase.
    private let volatileHeaders: Set<String>

    init(_ settings: RecordingConfiguration.Repeatable) {
        self.settings = settings
        volatileHeaders = Set(settings.volatileHeaders.map { $0.lowercased() })
    }

    /// Returns the reproducible form of an exchange.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: A copy without values that change with each exchange.
    func form(of exchange: CapturedExchange) -> CapturedExchange {
        var result = exchange
        result.start = settings.start
        result.timings = CapturedExchange.Timings()
        result.customFields["_chunks"] = nil
        result.wire.serverIPAddress = nil
        result.wire.connection = nil
        result.wire.requestHeadersSize = nil
        result.wire.responseHeadersSize = nil
        result.request.headers = headers(exchange.request.headers)
        guard let head = exchange.head else { return result }
        let now = head.headers.values(named: "date").first.flatMap(CookieDate.date) ?? exchange.start
        result.head?.headers = headers(head.headers).map { field in
            guard field.name.lowercased() == "set-cookie" else { return field }
            return HeaderField(name: field.name, value: Self.lasting(field.value, at: now))
        }
        return result
    }

    private func headers(_ fields: [HeaderField]) -> [HeaderField] {
        fields.map { (name: $0.name.lowercased(), field: $0) }
            .filter { !volatileHeaders.contains($0.name) }
            .sorted { $0.name < $1.name }
            .map(\.field)
    }

    /// Returns a `Set-Cookie` value that specifies the lifetime only as `Max-Age` (RFC 6265, section 4.1.2.2,
    /// https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.2).
    private static func lasting(_ value: String, at now: Date) -> String {
        var parts = CookieText.parts(of: value.utf8).map { String(Substring($0)) }
        let attributes = parts.dropFirst().map { CookieText($0) }
        let names = attributes.map(\.attribute)
        let hasMaxAge = names.contains("max-age")
        for (index, name) in zip(parts.indices.dropFirst(), names).reversed() where name == "expires" {
            let date = CookieDate.date(attributes[index - 1].text)
            if hasMaxAge || date == nil {
                parts.remove(at: index)
            } else if let date {
                let minutes = (date.timeIntervalSince(now) / 60).rounded()
                parts[index] = " Max-Age=\(Int(clamping: max(0, min(minutes, 1e9))) * 60)"
            }
        }
        return parts.joined(separator: ";")
    }
}
