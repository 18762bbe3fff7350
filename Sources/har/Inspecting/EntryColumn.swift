import ArchiveInspection
import Foundation
import HTTPArchive

/// A column of `har entries`.
enum EntryColumn: String, CaseIterable {
    case index
    case original
    case method
    case status
    case type
    case size
    case time
    case start
    case url
    case host
    case path
    case query
    case page
    case received
    case protocolVersion = "protocol"
    case server
    case blocked
    case dns
    case connect
    case ssl
    case send
    case wait
    case receive
    case error
    case fromCache = "from_cache"

    /// The columns that are printed by default.
    static let standard: [EntryColumn] = [.index, .method, .status, .type, .size, .time, .url]

    /// All names, separated by commas, for help and messages.
    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// The key in JSON.
    var key: String {
        switch self {
        case .start: "startedDateTime"
        case .fromCache: "fromCache"
        default: rawValue
        }
    }

    /// Whether values must be read from the entry, because the archive index does not contain them.
    var needsEntry: Bool {
        switch self {
        case .original, .received, .protocolVersion, .server, .blocked, .dns, .connect, .ssl, .send, .wait, .receive,
            .error, .fromCache:
            true
        default: false
        }
    }

    /// Whether the values are numbers, which are right-aligned.
    var isNumber: Bool {
        switch self {
        case .index, .original, .status, .size, .time, .received, .blocked, .dns, .connect, .ssl, .send, .wait,
            .receive:
            true
        default: false
        }
    }

    /// Whether the values can be long, so that they are shortened on a terminal.
    var isText: Bool {
        switch self {
        case .type, .url, .host, .path, .query, .error, .page: true
        default: false
        }
    }

    /// The minimum width in characters; 0 for a column without padding.
    var width: Int {
        switch self {
        case .status: 3
        case .index: 5
        case .method, .time, .blocked, .dns, .connect, .ssl, .send, .wait, .receive: 7
        case .original, .page, .protocolVersion: 8
        case .size, .received: 9
        case .fromCache: 10
        case .server: 15
        case .type, .start, .host: 24
        case .path: 32
        case .url, .query, .error: 0
        }
    }

    /// Returns the value of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry.
    /// - Returns: The value; null if it is unknown.
    /// - Throws: Any error from ``HARArchive/entry(at:)`` if the entry must be read.
    func value(of entry: HAREntryFacts, at index: Int) throws(HARError) -> JSONValue {
        switch self {
        case .index: .integer(index)
        case .original: .integer(try entry.entry.originalIndex ?? index)
        case .method: .text(entry.method)
        case .status: .integer(entry.status)
        case .type: .text(try entry.mediaType?.essence)
        case .size: .integer(try entry.decodedBodySize)
        case .time: .double(entry.time)
        case .start: .text(entry.startedDateTime)
        case .url: .text(entry.url)
        case .host: .text(entry.host)
        case .path: .text(LiteralURL(entry.url).pathOfHost.map { String($0) })
        case .query: .text(LiteralURL(entry.url).queryOfHost.map { String($0) })
        case .page: .text(entry.pageref)
        case .received: .integer(try entry.entry.response.bodySize)
        case .protocolVersion: .text(try entry.entry.response.httpVersion)
        case .server: .text(try entry.entry.serverIPAddress)
        case .blocked: .double(try entry.entry.timings.blocked)
        case .dns: .double(try entry.entry.timings.dns)
        case .connect: .double(try entry.entry.timings.connect)
        case .ssl: .double(try entry.entry.timings.ssl)
        case .send: .double(try entry.entry.timings.send)
        case .wait: .double(try entry.entry.timings.wait)
        case .receive: .double(try entry.entry.timings.receive)
        case .error: .text(try entry.entry.failure)
        case .fromCache: try entry.entry.isKnownToBeFromCache.map(JSONValue.bool) ?? .null
        }
    }

    /// Returns the value of an entry as text without line breaks, or a dash if it is unknown.
    func text(of entry: HAREntryFacts, at index: Int) throws(HARError) -> String {
        switch try value(of: entry, at: index) {
        case .string(let text) where !text.text.isEmpty: text.text.printable
        case .bool(let value): value ? "yes" : "no"
        case .number(let number): number.int.map(String.init) ?? number.double.map { $0.rounded(to: 0) } ?? "-"
        default: "-"
        }
    }
}

extension HAR.Entry {
    /// Whether the response was in a cache, or nil if this is unknown.
    ///
    /// Browsers record only that a response was in a cache. A response with a size was transferred.
    var isKnownToBeFromCache: Bool? {
        switch self["_fromCache"] {
        case .bool(let value): value
        case .string(let name): !name.text.isEmpty
        default: (response.fields.int("_transferSize") ?? 0) > 0 ? false : nil
        }
    }
}

/// The only definition of the parts of a URL in lists, groups and tables.
extension LiteralURL {
    /// Whether the URL has a scheme and a host, unlike `data:,` and `blob:` URLs.
    var hasHost: Bool { scheme != nil && !host.isEmpty }

    /// The path as written, or nil for a URL without a host.
    var pathOfHost: Substring? { hasHost ? path : nil }

    /// The query without its question mark, or nil if the URL has no question mark or no host.
    var queryOfHost: Substring? { hasHost && !query.isEmpty ? query.dropFirst() : nil }
}

extension HAREntryFacts {
    /// The host of the URL, including a port other than the default, or `nil` if there is no host.
    var host: String? {
        let authority = LiteralURL(NormalizedURL(url).origin).authority
        return authority.isEmpty ? nil : String(authority)
    }
}
