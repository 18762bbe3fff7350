package import Foundation

/// Redacts text for messages: errors, log lines, reports and commands.
///
/// This type finds secrets like a ``HARRedactor``, but it replaces more, because messages are never replayed. A value
/// whose name may belong to a secret is replaced even if it does not look random, and even if it is an object or an
/// array. In URLs, the user is replaced as well as the password. The mask is the same for all of these values and
/// reveals nothing about them. Secrets that are recognized in other ways are replaced with the word `REDACTED`.
package struct MessageRedactor: Sendable {
    /// The replacement for a value whose name belongs to a secret.
    package static let mask = "•••"

    /// A redactor with the default settings.
    package static let standard = MessageRedactor(RedactionRules(masking: .standard))

    private let redactor: HARRedactor

    /// Creates a redactor.
    ///
    /// - Parameter configuration: The settings. They can add secrets, but values with well-known names are always
    ///   secrets.
    /// - Throws: `invalidRule` if a pattern is not a valid regular expression.
    package init(_ configuration: HARRedactor.Configuration) throws(HARError) {
        self.init(RedactionRules(masking: configuration, patterns: try UserPatterns(configuration.patterns)))
    }

    private init(_ rules: RedactionRules) {
        var rules = rules
        rules.mask = RedactionRules.Mask(secret: Array(Self.mask.utf8), user: [])
        redactor = HARRedactor(rules: rules)
    }

    /// Returns a redactor that also replaces the secrets of entries wherever they occur.
    ///
    /// - Parameter entries: The entries, with their secrets.
    /// - Returns: The redactor.
    /// - Complexity: O(*n*), where *n* is the size of the entries.
    package func knowing(secretsOf entries: [HAR.Entry]) -> MessageRedactor {
        var rules = redactor.rules
        for entry in entries { rules.known.formUnion(redactor.knowing(secretsOf: entry).rules.known) }
        return MessageRedactor(rules)
    }

    /// Returns a redactor that also replaces the secrets that another redactor knows.
    ///
    /// - Parameter other: The other redactor.
    /// - Returns: The redactor.
    package func union(_ other: MessageRedactor) -> MessageRedactor { union(other.redactor.rules.known) }

    /// Returns a redactor that also replaces the given secrets.
    private func union(_ secrets: RepeatedSecrets) -> MessageRedactor {
        var rules = redactor.rules
        rules.known.formUnion(secrets)
        return MessageRedactor(rules)
    }

    /// Returns a URL without its user and password, and with its secrets replaced.
    ///
    /// - Parameter url: The URL as text, or the part of it that begins with the path, query or fragment.
    /// - Returns: The redacted URL.
    /// - Complexity: O(*n*), where *n* is the length of the URL.
    package func url(_ url: String) -> String { redactor.redacted(url: url) }

    /// Returns the value of a header field with its secrets replaced.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field.
    /// - Returns: The value. Authentication schemes, and the names and attributes of cookies, are unchanged.
    package func header(_ value: String, named name: String) -> String { redactor.redacted(header: value, named: name) }

    /// Returns the items of a query or form with their secrets replaced.
    ///
    /// - Parameter items: Items separated by `&`.
    /// - Returns: The redacted items. A secret value extends to the next `&`.
    package func items(_ items: String) -> String { redactor.redacted(items) { $0.formBodyEdits(in: $1, as: .query) } }

    /// Returns text of unknown format with its secrets replaced.
    ///
    /// - Parameter text: The text.
    /// - Returns: The redacted text.
    package func text(_ text: String) -> String { redactor.redacted(text: text) }

    /// Returns a body with its secrets replaced.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - mediaType: The value of `Content-Type`, or nil to parse the body as a form unless it begins like JSON.
    /// - Returns: The redacted body.
    /// - Complexity: O(*n*), where *n* is the size of the body.
    package func body(_ body: Data, mediaType: String?) -> Data { redactor.redacted(body: body, mediaType: mediaType) }

    /// A request to show in a message, with the URL as text, the header fields in order, and the body if it has one.
    package typealias Request = (url: String, headers: [(name: String, value: String)], body: Data?)

    /// Returns a request with its secrets replaced.
    ///
    /// A secret that is recognized in one part of the request is also replaced in the other parts, as in an archive.
    ///
    /// - Parameter request: The request.
    /// - Returns: The redacted request. The mask replaces the user and password in the URL. Authentication schemes and
    ///   the names of cookies are unchanged.
    /// - Complexity: O(*n*), where *n* is the size of the request.
    package func request(_ request: Request) -> Request {
        var rules = redactor.rules
        // The `@` after the masked user of a URL is kept.
        rules.mask?.user = Array("\(Self.mask)@".utf8)
        let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value
        var result = request
        var learned = rules.known
        for _ in 0..<HARRedactor.maximumPassCount {
            var pass = Redaction(rules, repeated: learned)
            result.url = pass.redactedText(result.url) { $0.urlEdits(in: $1) } ?? result.url
            for (index, field) in result.headers.enumerated() {
                let changed = pass.redactedText(field.value) { $0.headerEdits(in: $1, named: field.name) }
                if let changed { result.headers[index].value = changed }
            }
            if let body = result.body {
                let edits = body.withUnsafeBytes { bytes in pass.limited(bytes) { $0.bodyEdits(in: $1, as: type) } }
                result.body = edits.applied(to: body)
            }
            guard learned.formUnion(pass.learned) else { break }
        }
        return result
    }
}

extension MessageRedactor {
    /// The locations of the secrets in a text, for messages that contain parts of it.
    ///
    /// A part of a text can be safe to show only if the whole text was searched: a private key extends over many lines,
    /// and a line can contain the value that is named in the line before.
    package struct SearchedText: Sendable {
        fileprivate let edits: [TextEdit]

        /// Returns a part of the text with its secrets replaced.
        ///
        /// - Parameters:
        ///   - range: The range of the part, in bytes.
        ///   - text: The text.
        /// - Returns: The part. Of a secret that extends beyond the part, the rest is replaced.
        /// - Complexity: O(*n* + log *m*), where *n* is the length of the part and *m* is the number of secrets.
        package func part(_ range: Range<Int>, of text: UnsafeRawBufferPointer) -> String {
            let bytes = text[rebasing: range]
            let first = edits.partitioningIndex { $0.range.upperBound > range.lowerBound }
            let inside = edits[first...].prefix { $0.range.lowerBound < range.upperBound }.map { edit in
                TextEdit(range: edit.range.clamped(to: range), replacement: edit.replacement)
                    .moved(by: -range.lowerBound)
            }
            return String(decoding: inside.applied(to: bytes), as: UTF8.self)
        }
    }

    /// Searches a text for secrets.
    ///
    /// - Parameters:
    ///   - text: The text, in UTF-8.
    ///   - mediaType: The value of `Content-Type`, or nil if it is unknown.
    /// - Returns: The locations of the secrets, and a redactor that also replaces these secrets elsewhere.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package func searching(_ text: Data, mediaType: String?) -> (text: SearchedText, redactor: MessageRedactor) {
        var pass = Redaction(redactor.rules)
        let edits = text.withUnsafeBytes { bytes in pass.limited(bytes) { $0.bodyEdits(in: $1, as: mediaType) } }
        return (SearchedText(edits: edits), union(pass.learned))
    }
}

extension [TextEdit] {
    /// Returns the index of the first element that satisfies a condition, which all following elements satisfy, too.
    fileprivate func partitioningIndex(where condition: (TextEdit) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
