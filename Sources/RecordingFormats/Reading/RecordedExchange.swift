package import Foundation
package import HTTPArchive

/// An exchange from another tool's recording, which can be converted to an entry.
package struct RecordedExchange {
    var start: Date

    /// The duration in milliseconds.
    package var time = 0.0

    package var method = "GET"
    package var url: String
    package var httpVersion = "HTTP/1.1"
    package var requestHeaders: [HAR.Header] = []

    /// The request body, or `nil` if the request had no body.
    package var requestBody: Data?

    /// The status code; 0 for a request that failed.
    package var status: Int
    package var statusText = ""
    package var responseHeaders: [HAR.Header] = []

    /// The response body without content codings, or `nil` if it was not captured.
    package var responseBody: Data?

    /// The encoded response body, if its content coding is not supported.
    var encodedBody: Data?

    /// The media type of the response body if the response has no Content-Type.
    package var responseType: String?

    /// Custom fields for properties that HAR does not define.
    ///
    /// Their names begin with an underscore.
    package var entryFields: [JSONObject.Member] = []
    package var requestFields: [JSONObject.Member] = []
    package var responseFields: [JSONObject.Member] = []

    /// Creates an exchange with a GET request.
    package init(start: Date, url: String, status: Int) {
        self.start = start
        self.url = url
        self.status = status
    }

    /// Sets the response body, after decoding any content coding that the header fields name.
    ///
    /// - Throws: `limitExceeded` if the decoded body is too large.
    package mutating func setResponseBody(_ body: Data) throws(HARError) {
        switch try ContentCoding.decoded(body, headers: responseHeaders) {
        case .bytes(let bytes): responseBody = bytes
        case .unsupported: encodedBody = body
        }
    }

    /// The exchange as an entry.
    package var entry: HAR.Entry {
        var entry = HAR.Entry(
            startedDateTime: HAR.text(start), time: time, request: request, response: response,
            timings: HAR.Timings(send: 0, wait: time, receive: 0))
        entry.fields.members += entryFields
        return entry
    }

    private var request: HAR.Request {
        let literalURL = LiteralURL(url)
        var request = HAR.Request(
            method: method, url: String(literalURL.withoutFragment), httpVersion: httpVersion,
            cookies: requestHeaders.values(of: "cookie").flatMap(CookieHeader.cookies(sentIn:)),
            headers: requestHeaders, queryString: FormParser.parameters(of: literalURL),
            bodySize: requestBody?.count ?? 0)
        if let requestBody, !requestBody.isEmpty { request.embed(requestBody) }
        request.fields.members += requestFields
        // URLs in HAR have no fragment.
        if !literalURL.fragment.isEmpty { request["_url"] = .string(JSONString(url)) }
        return request
    }

    private var response: HAR.Response {
        let location = [301, 302, 303, 307, 308].contains(status) ? responseHeaders.values(of: "location").first : nil
        var response = HAR.Response(
            status: status, statusText: statusText, httpVersion: httpVersion,
            cookies: responseHeaders.values(of: "set-cookie").compactMap { CookieHeader.cookie($0, at: start) },
            headers: responseHeaders, content: HAR.Content(size: responseBody?.count, mimeType: ""),
            redirectURL: location ?? "", bodySize: isEncoded ? nil : responseBody?.count)
        response.content.mimeType =
            responseHeaders.values(of: "content-type").first ?? responseType
            ?? (responseBody?.isEmpty == false ? RecordedText.unknownType : "x-unknown")
        if let responseBody {
            if responseBody.isEmpty { response.content.text = "" } else { response.embed(responseBody) }
        }
        if let encodedBody {
            response.bodySize = encodedBody.count
            response.content["_encodedText"] = .string(JSONString(encodedBody.base64EncodedString()))
            response.content.comment = "The content coding of the body was not supported by the import."
        }
        response.fields.members += responseFields
        return response
    }

    private var isEncoded: Bool {
        responseHeaders.values(of: "content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }
}

extension [HAR.Header] {
    /// Returns the values of all fields with a name, in order.
    ///
    /// The name must be in lowercase.
    package func values(of name: String) -> [String] { filter { $0.name.lowercased() == name }.map(\.value) }

    /// The time in the field `Date`, or `nil` if it is missing or invalid.
    package var date: Date? { values(of: "date").first.flatMap(CookieDate.date) }
}

extension [HAR.Entry] {
    /// The entries in the same order, with each start time raised to the previous one if it is earlier.
    ///
    /// The field `_originalStartedDateTime` has the earlier time.
    package var withAscendingTimes: [HAR.Entry] {
        var last: (date: Date, text: String)?
        return map { entry in
            var entry = entry
            guard let date = entry.startedDate else { return entry }
            if let last, date < last.date {
                entry["_originalStartedDateTime"] = .string(JSONString(entry.startedDateTime))
                entry.startedDateTime = last.text
            } else {
                last = (date, entry.startedDateTime)
            }
            return entry
        }
    }
}

/// Decodes recorded bodies that have content codings.
///
/// Some tools store a decoded body but keep its `Content-Encoding` field.
package enum ContentCoding {
    /// The result of decoding a body.
    package enum Decoded {
        /// The decoded body.
        case bytes(Data)

        /// The body has an unsupported coding, such as `br`.
        case unsupported
    }

    /// Decodes a body.
    ///
    /// A body without the named coding is returned unchanged, because the recording tool has already decoded it.
    ///
    /// - Parameters:
    ///   - body: The recorded body.
    ///   - headers: The header fields, which name the codings (RFC 9110, section 8.4,
    ///     https://www.rfc-editor.org/rfc/rfc9110#section-8.4).
    /// - Returns: The decoded body, or `unsupported`.
    /// - Throws: `limitExceeded` if the decoded body is larger than 100 MB.
    package static func decoded(_ body: Data, headers: [HAR.Header]) throws(HARError) -> Decoded {
        var bytes = [UInt8](body)
        let codings = headers.values(of: "content-encoding").flatMap { $0.split(separator: ",") }
        for coding in codings.reversed() {
            let name = coding.trimmingCharacters(in: .whitespaces).lowercased()
            switch name {
            case "", "identity": continue
            case "gzip", "x-gzip": bytes = try inflated(contentOfGzip(bytes[...])) ?? bytes
            case "deflate": bytes = try inflated(contentOfZlib(bytes[...])) ?? bytes
            default:
                // Compressed data is hardly ever valid UTF-8, so a body that is valid UTF-8 has already been decoded by
                // the tool.
                if !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { return .unsupported }
            }
        }
        return .bytes(Data(bytes))
    }

    /// Decompresses raw DEFLATE data, and adds advice to the error for a body that is too large.
    ///
    /// The checksum is not verified. It may be missing, or wrong if the recording was edited.
    private static func inflated(_ bytes: ArraySlice<UInt8>?) throws(HARError) -> [UInt8]? {
        guard let bytes else { return nil }
        do throws(HARError) {
            return try Deflate.inflated(bytes, .raw, sizeLimit: sizeLimit)
        } catch {
            throw HARError(
                error.code,
                "A decompressed body is larger than \(sizeLimit) bytes. Remove the body from the recording, or store it uncompressed."
            )
        }
    }

    /// Returns the compressed content of a gzip member (RFC 1952, section 2.3,
    /// https://www.rfc-editor.org/rfc/rfc1952#section-2.3).
    private static func contentOfGzip(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count > 18, bytes.starts(with: [0x1F, 0x8B, 8]) else { return nil }
        let flags = bytes[bytes.startIndex + 3]
        var rest = bytes.dropFirst(10)
        if flags & 4 != 0 {
            guard rest.count > 2 else { return nil }
            rest = rest.dropFirst(2 + Int(rest[rest.startIndex]) + Int(rest[rest.startIndex + 1]) << 8)
        }
        for flag in [8, 16] as [UInt8] where flags & flag != 0 { rest = rest.drop { $0 != 0 }.dropFirst() }
        return flags & 2 != 0 ? rest.dropFirst(2) : rest
    }

    /// Returns the compressed content of a zlib stream (RFC 1950), or raw DEFLATE data, which some servers send.
    private static func contentOfZlib(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        let hasFrame = first & 0xF == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        return hasFrame ? bytes.dropFirst(2) : bytes
    }

    /// The maximum size of a decoded body in bytes, which prevents a small recording from exhausting memory.
    private static let sizeLimit = 100_000_000
}
