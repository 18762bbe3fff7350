import Foundation

/// The preconditions of a request for a response with a body (RFC 9110, section 13.1,
/// https://www.rfc-editor.org/rfc/rfc9110#section-13.1).
struct Conditions: Hashable, Sendable {
    /// The values of `If-None-Match`.
    let entityTags: [String]

    /// The value of `If-Modified-Since`, which is ignored if there are entity tags.
    let modifiedSince: String?

    /// Creates the conditions from header fields, or nil if the fields contain no condition.
    init?(_ value: (_ name: String) -> String?) {
        let tags = value("if-none-match").map(Self.tags) ?? []
        let date = value("if-modified-since")?.trimmingCharacters(in: .whitespaces)
        guard !tags.isEmpty || date != nil else { return nil }
        entityTags = tags
        modifiedSince = tags.isEmpty ? date : nil
    }

    /// Whether the client already has the response with these validators.
    func areMet(entityTag: String?, lastModified: String?) -> Bool {
        if entityTags == ["*"] { return true }
        if !entityTags.isEmpty { return entityTag.map { entityTags.contains(Self.weak($0)) } ?? false }
        return modifiedSince != nil && modifiedSince == lastModified
    }

    /// Returns the entity tags in a field value without `W/`, for weak comparison.
    private static func tags(_ value: String) -> [String] {
        var tags: [String] = []
        var rest = value.utf8[...]
        while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "*") }) {
            var end = start
            if rest[start] == UInt8(ascii: "\"") {
                guard let quote = rest[rest.index(after: start)...].firstIndex(of: UInt8(ascii: "\"")) else { break }
                end = quote
            }
            tags.append(String(decoding: rest[start...end], as: UTF8.self))
            rest = rest[rest.index(after: end)...]
        }
        return tags.isEmpty ? [weak(value)] : tags
    }

    private static func weak(_ tag: String) -> String {
        let tag = tag.trimmingCharacters(in: .whitespaces)
        return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}
