import ArchiveInspection
import Foundation
import HTTPArchive

/// A value in a table.
enum TableValue {
    case null
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)

    /// The header fields by lowercase name, in the order of their first occurrence.
    case map([(name: String, value: String)])

    /// Returns text, or null for nil.
    static func optional(_ text: String?) -> TableValue { text.map(TableValue.text) ?? .null }

    /// Returns text, or null for nil and empty text.
    static func nonempty(_ text: String?) -> TableValue { text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null }

    /// Returns an integer, or null for nil.
    static func optional(_ integer: Int?) -> TableValue { integer.map(TableValue.integer) ?? .null }

    /// Returns a number, or null for nil and for infinity.
    static func optional(_ number: Double?) -> TableValue {
        number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    }

    /// Returns the text of a field, or null if the field is not a string.
    fileprivate static func text(_ text: String, in fields: JSONObject, _ name: String) -> TableValue {
        text.isEmpty && fields[name]?.text == nil ? .null : .text(text)
    }

    /// Returns header fields, in which the values of repeated names are joined as in RFC 9110, section 5.2; null if the
    /// array is missing.
    fileprivate static func headers(_ headers: [HAR.Header], of fields: JSONObject) -> TableValue {
        if headers.isEmpty, fields["headers"]?.array == nil { return .null }
        var map: [(name: String, value: String)] = []
        map.reserveCapacity(headers.count)
        // A bit for the length and the last byte of each name, because names are rarely repeated.
        var seen: UInt64 = 0
        for header in headers {
            var name = header.name
            if !name.utf8.allSatisfy({ $0 < 0x80 && !(0x41...0x5A ~= $0) }) { name = name.lowercased() }
            let bit: UInt64 = 1 << UInt64((name.utf8.count &* 7 &+ Int(name.utf8.last ?? 0)) & 63)
            if seen & bit != 0, let index = map.firstIndex(where: { $0.name == name }) {
                map[index].value += ", " + header.value
            } else {
                map.append((name, header.value))
            }
            seen |= bit
        }
        return .map(map)
    }
}

/// The values of an entry in a table.
struct TableRow {
    /// The properties that all entries of an archive share.
    struct Archive: Sendable {
        /// The path of the archive.
        let file: String

        /// The folder with the body files.
        let folder: HAR.BodyFolder

        /// The titles of the pages by ID.
        var pageTitles: [String: String] = [:]
    }

    private let archive: Archive
    private let index: Int
    private let entry: HAR.Entry
    private let request: HAR.Request
    private let response: HAR.Response
    private let timings: HAR.Timings
    private let started: Date?

    private lazy var url = LiteralURL(request.url)
    private lazy var responseType = response.mediaType
    private lazy var requestBody = Self.encoded(request.availableBody(in: archive.folder, ofEntry: index))
    private lazy var responseBody = Self.encoded(response.availableBody(in: archive.folder, ofEntry: index))

    /// Creates the row of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry in its archive.
    ///   - archive: The archive.
    init(_ entry: HAR.Entry, at index: Int, of archive: Archive) {
        self.archive = archive
        self.index = index
        self.entry = entry
        request = entry.request
        response = entry.response
        timings = entry.timings
        started = entry.startedDate
    }

    /// Returns the value in a column.
    ///
    /// A body whose file cannot be read is null, and is reported.
    mutating func value(of column: TableColumn) -> TableValue {
        switch column {
        case .file: .text(archive.file)
        case .entryIndex: .integer(index)
        case .pageID: .optional(entry.pageref)
        case .pageTitle: .optional(entry.pageref.flatMap { archive.pageTitles[$0] })
        case .started: .optional(started.map(HAR.text))
        case .finished: .optional(finished.map(HAR.text))
        case .time: .optional(entry.time)
        case .method: .text(request.method, in: request.fields, "method")
        case .url: .text(request.url, in: request.fields, "url")
        case .scheme: .optional((url.hasHost ? url.scheme : LiteralURL.scheme(of: url.text))?.lowercased())
        case .host: .optional(url.hasHost ? url.normalizedHost : nil)
        case .port: .optional(port)
        case .path: .optional(url.pathOfHost.map { String($0) })
        case .query: .optional(url.queryOfHost.map { String($0) })
        case .status: .optional(status)
        case .statusText: .text(response.statusText, in: response.fields, "statusText")
        case .httpVersion: .nonempty(response.httpVersion.isEmpty ? request.httpVersion : response.httpVersion)
        case .requestType: .optional(request.mediaType?.essence)
        case .requestBodyBytes: .optional(request.bodySize)
        case .requestHeadersBytes: .optional(request.headersSize)
        case .responseType: .optional(responseType?.essence)
        case .responseCharset: .optional(response.textType?.charset?.lowercased())
        case .responseBodyBytes: .optional(response.decodedBodySize)
        case .responseReceivedBytes: .optional(response.bodySize)
        case .transferBytes: .optional(response.fields.int("_transferSize").flatMap { $0 < 0 ? nil : $0 })
        case .fromCache: entry.isKnownToBeFromCache.map(TableValue.boolean) ?? .null
        case .redirectURL: .nonempty(response.redirectURL)
        case .serverAddress: .nonempty(entry.serverIPAddress)
        case .connection: .nonempty(entry.connection)
        case .blocked: .optional(timings.blocked)
        case .dns: .optional(timings.dns)
        case .connect: .optional(timings.connect)
        case .ssl: .optional(timings.ssl)
        case .send: .optional(timings.send)
        case .wait: .optional(timings.wait)
        case .receive: .optional(timings.receive)
        case .resourceType: .nonempty(entry["_resourceType"]?.text)
        case .error: .optional(entry.failure)
        case .requestHeaders: .headers(request.headers, of: request.fields)
        case .responseHeaders: .headers(response.headers, of: response.fields)
        case .requestBody: .optional(requestBody.text)
        case .requestBodyEncoding: .optional(requestBody.encoding)
        case .responseBody: .optional(responseBody.text)
        case .responseBodyEncoding: .optional(responseBody.encoding)
        }
    }

    /// The port, or the default port of the scheme; nil if neither is known, and for a URL without a host.
    private var port: Int? {
        mutating get {
            guard url.hasHost, let scheme = url.scheme?.lowercased() else { return nil }
            // WebSockets use the ports of HTTP (RFC 6455, section 3).
            let defaultPort = LiteralURL.defaultPort(of: scheme)
            guard let port = url.port, !port.isEmpty else { return defaultPort }
            return Int(port).flatMap { 0...65535 ~= $0 ? $0 : nil }
        }
    }

    /// Returns a body as text if it is UTF-8, or else in Base64; nil if it was not captured.
    private static func encoded(_ body: Data?) -> (text: String?, encoding: String?) {
        guard let body else { return (nil, nil) }
        if let text = String(validating: body, as: UTF8.self) { return (text, nil) }
        return (body.base64EncodedString(), "base64")
    }

    /// The end of the exchange, or nil if the start or the duration is unknown or the end has no year with four digits.
    private var finished: Date? {
        guard let started, let time = entry.time else { return nil }
        let end = started.addingTimeInterval(time / 1000)
        return end.timeIntervalSince1970 < 253_402_300_800 ? end : nil
    }

    /// The status, or nil if it is missing or not an integer.
    private var status: Int? { response.fields.int("status") }
}
