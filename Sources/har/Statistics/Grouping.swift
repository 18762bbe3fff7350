import ArgumentParser
import Foundation
import HTTPArchive

/// A property by which `har stats` groups entries.
enum Grouping: String, CaseIterable, ExpressibleByArgument {
    case host
    case type
    case status
    case method
    case path
    case page
    case party

    /// The heading of the table.
    var title: String {
        switch self {
        case .host: "Hosts"
        case .type: "Types"
        case .status: "Statuses"
        case .method: "Methods"
        case .path: "Paths"
        case .page: "Pages"
        case .party: "Parties"
        }
    }

    /// The groupings that are printed by default.
    static let standard: [Grouping] = [.host, .type, .status, .path]
}

/// Names for groups of entries, with a cache for URLs of the same origin.
struct GroupNames {
    /// The host and the party of an origin.
    private struct Origin {
        let host: String
        let party: String
    }

    private var origins: [Substring: Origin] = [:]
    private var types: [String: String] = [:]
    private var site: String?

    /// Returns the name of an entry's group.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - url: The URL of the entry.
    ///   - grouping: The property.
    /// - Returns: The name, such as `api.example.com` or `/items/{id}`.
    /// - Throws: The errors of ``HARArchive/entry(at:)``, if the entry has to be read.
    mutating func name(
        of entry: HAREntryFacts, at url: LiteralURL, by grouping: Grouping
    ) throws(HARError) -> String {
        switch grouping {
        case .host: origin(of: entry, at: url).host
        case .party: origin(of: entry, at: url).party
        case .type: try type(of: entry)
        case .status: String(entry.status)
        case .method: entry.method.isEmpty ? "(none)" : entry.method
        case .path: url.pathOfHost.map(Self.template) ?? "(none)"
        case .page: entry.pageref ?? "(none)"
        }
    }

    private mutating func type(of entry: HAREntryFacts) throws(HARError) -> String {
        let text = entry.recordedMimeType
        if let known = types[text] { return known }
        let name = try entry.mediaType?.essence ?? "(unknown)"
        // The type of an entry without a valid type in its content depends on its header fields.
        if entry.recordedMediaType != nil, types.count < 10_000 { types[text] = name }
        return name
    }

    private mutating func origin(of entry: HAREntryFacts, at url: LiteralURL) -> Origin {
        let text = entry.url
        let end = url.beforeUser.utf8.count + url.user.utf8.count + url.authority.utf8.count
        let key = text[..<text.utf8.index(text.startIndex, offsetBy: end)]
        if let known = origins[key] { return known }
        let host = entry.host ?? "(none)"
        let site = Self.site(of: host)
        // The first entry of a capture is usually the document that the user opened.
        if self.site == nil { self.site = site }
        let origin = Origin(host: host, party: site == self.site ? "first party" : "third parties")
        origins[key] = origin
        return origin
    }

    /// Returns the registrable domain of a host, as far as its labels show it.
    ///
    /// Without a list of public suffixes, a short second label before a country code, as in `example.co.uk`, is part of the
    /// suffix. Each IP address is a separate site.
    static func site(of host: String) -> String {
        let name = LiteralURL(host).host
        let labels = name.split(separator: ".")
        if host.hasPrefix("[") || labels.allSatisfy({ $0.allSatisfy(\.isNumber) }) { return String(name) }
        guard labels.count > 2 else { return String(name) }
        let isLong = labels[labels.count - 1].count == 2 && labels[labels.count - 2].count <= 3
        return labels.suffix(isLong ? 3 : 2).joined(separator: ".")
    }

    /// Returns a path with `{id}` in place of numbers, UUIDs, digests and similar segments.
    ///
    /// - Parameter path: The path of a URL.
    /// - Returns: The template, such as `/items/{id}`.
    /// - Complexity: O(*n*) in the length of the path.
    private static func template(_ path: Substring) -> String {
        guard path.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return path.isEmpty ? "/" : String(path) }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { isVariable($0) ? "{id}" : String($0) }.joined(separator: "/")
    }

    /// Whether a segment is a number, or a long text with many digits and no other characters than identifiers have.
    private static func isVariable(_ segment: Substring) -> Bool {
        var (digits, letters) = (0, 0)
        for byte in segment.utf8 {
            switch byte {
            case 0x30...0x39: digits += 1
            case 0x41...0x5A, 0x61...0x7A: letters += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"): break
            default: return false
            }
        }
        if digits == 0 { return false }
        return letters == 0 || (digits + letters >= 16 && digits * 6 >= letters)
    }
}
