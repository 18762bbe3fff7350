import HTTPArchive

/// A value in a request that was in an earlier response.
package struct CarriedValue: Sendable {
    /// The location in the request.
    package let location: OutgoingRequest.Location

    /// The recorded text.
    let text: String

    /// The value in the earlier response.
    package let source: GivenValue
}

/// The values that requests need from earlier responses, found by their recurrence in an archive.
package struct CarriedValues: Sendable {
    /// The maximum number of values that are remembered.
    private static let limit = 500_000

    /// The last response that has a value, by the text of the value.
    private var given: [String: GivenValue] = [:]

    /// The values that requests had before any response.
    private var known: Set<String> = []

    /// The values of each request, by the index of the entry.
    package private(set) var uses: [Int: [CarriedValue]] = [:]

    /// The needed values of each response, by the index of the entry.
    package private(set) var needed: [Int: Set<GivenValue>] = [:]

    /// Searches the next entry.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - response: The response.
    ///   - entry: The index of the entry.
    mutating func add(_ request: OutgoingRequest, _ response: ResponseValues, of entry: Int) {
        for value in request.values {
            guard let key = Self.key(of: value) else { continue }
            guard let source = given[key] else {
                if known.count < Self.limit { known.insert(key) }
                continue
            }
            uses[entry, default: []].append(
                CarriedValue(location: value.location, text: value.text, source: source))
            needed[source.entry, default: []].insert(source)
        }
        for value in response.all {
            for key in Self.keys(of: value) where !known.contains(key) {
                if given.count < Self.limit || given[key] != nil {
                    given[key] = GivenValue(entry: entry, location: value.location)
                }
            }
        }
    }

    /// The prefix of keys for URLs, which distinguishes them from other values.
    private static let urlPrefix = "\u{0}"

    /// Returns the key by which a value in a request is found, or nil if it cannot come from a response.
    private static func key(of value: OutgoingRequest.Value) -> String? {
        switch value.location {
        case .target: value.text.count > 1 ? urlPrefix + value.text : nil
        case .segment: value.text
        case .query, .header, .body, .form:
            isDistinctive(value.text) || value.name.map(isIdentifier) == true ? value.text : nil
        }
    }

    /// Returns the keys by which a value in a response can be found.
    private static func keys(of value: ResponseValues.Value) -> [String] {
        var keys: [String] = []
        let url = LiteralURL(value.text)
        if !value.isNumber, url.scheme != nil && !url.host.isEmpty || value.text.hasPrefix("/") {
            let target = url.path + url.query
            if target.count > 1 { keys.append(urlPrefix + target) }
        } else if isDistinctive(value.text) || value.name.map(isIdentifier) == true, !value.text.isEmpty {
            keys.append(value.text)
        }
        return keys
    }

    /// Whether a text is so long and irregular that it occurs twice only if it was copied.
    private static func isDistinctive(_ text: String) -> Bool {
        text.utf8.count >= 16 && text.utf8.contains(where: \.isDigit) && !text.utf8.contains(UInt8(ascii: " "))
            || text.contains("REDACTED-")
    }

    /// The last words of names whose values identify something.
    private static let words = [
        "id", "ids", "uuid", "guid", "key", "token", "cursor", "csrf", "xsrf", "nonce", "code", "session", "slug",
        "href",
        "url", "next", "etag", "ref", "state", "ticket", "continuation", "after", "before",
    ]

    /// Whether the values of parameters, members or fields with a name identify something.
    static func isIdentifier(_ name: String) -> Bool {
        let lowercase = name.lowercased()
        if words.contains(lowercase) || ["csrf", "xsrf", "token", "nonce"].contains(where: lowercase.contains) {
            return true
        }
        return words.contains { word in
            lowercase.hasSuffix("_" + word) || lowercase.hasSuffix("-" + word)
                || name.hasSuffix(word.prefix(1).uppercased() + word.dropFirst()) || name.hasSuffix(word.uppercased())
        }
    }
}
