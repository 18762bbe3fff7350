/// One pass over an entry, a page or a body, which finds secrets and collects those to search for in the next pass.
struct Redaction: SecretReplacing {
    /// The maximum depth of nested texts, such as JSON in base64 in JSON.
    static let deepest = 5

    /// The settings.
    let rules: RedactionRules

    /// The secrets that earlier passes have found.
    let repeated: RepeatedSecrets

    /// The secrets found by this pass, for which the next pass searches.
    var learned = RepeatedSecrets()

    /// The findings so far, or nil if they are not requested.
    var findings: [HARRedactor.Finding]?

    /// The location of the current string.
    var pointer = JSONPointer()

    /// The number of texts that enclose the current one.
    var depth = 0

    /// Creates a pass.
    ///
    /// - Parameters:
    ///   - rules: The settings.
    ///   - repeated: The secrets that earlier passes have found, or nil (the default) for the known secrets of the
    ///     rules.
    init(_ rules: RedactionRules, repeated: RepeatedSecrets? = nil) {
        self.rules = rules
        self.repeated = repeated ?? rules.known
    }

    func isCandidate(_ name: String, in context: NamedValue.Context) -> Bool {
        if rules.isMasked(name, in: context) { return true }
        return context != .container && rules.strength(of: name, in: context) != .none
    }

    mutating func replacement(for value: NamedValue) -> [UInt8]? {
        if let mask = rules.mask, rules.isMasked(value.name, in: value.context) {
            return masked(value, by: mask.secret)
        }
        guard value.context != .container else { return nil }
        let isLikely: Bool
        switch rules.strength(of: value.name, in: value.context) {
        case .none: return nil
        case .certain: isLikely = false
        case .likely: isLikely = true
        }
        if isLikely {
            let least = value.context == .query || value.context == .form ? 12 : 16
            guard value.context != .number, RedactionRules.looksRandom(value.bytes, least: least) else { return nil }
        }
        let kind: HARRedactor.Kind =
            switch value.context {
            case .header: .header
            case .cookie: .cookie
            case .query: .queryItem
            case .form: .formField
            case .json, .container, .number: .jsonMember
            }
        return credentials(value.bytes, kind: kind, name: value.name)
    }

    mutating func edits(inUnescaped text: [UInt8]) -> [TextEdit] {
        text.withUnsafeBytes { text in deeper { $0.textEdits(in: text) } }
    }

    func isPassedOn(_ name: String) -> Bool { rules.strength(of: name, in: .json) == .certain }

    /// Returns the edits of a text within the current one, or no edits at the maximum depth.
    mutating func deeper(_ edits: (inout Redaction) -> [TextEdit]) -> [TextEdit] {
        guard depth < Self.deepest else { return [] }
        depth += 1
        defer { depth -= 1 }
        return edits(&self)
    }

    /// Returns the replacement in a message for a value that must not be shown, or nil for a placeholder, which is not a
    /// secret and shows that one was redacted.
    mutating func masked(_ value: NamedValue, by mask: [UInt8]) -> [UInt8]? {
        let start = value.context == .header ? Self.credentialsStart(in: value.bytes) : 0
        let secret = Array(value.bytes[start...])
        guard !Placeholder.isPlaceholder(secret), secret != mask else { return nil }
        let isCertain = value.context != .cookie && rules.strength(of: value.name, in: value.context) == .certain
        if rules.configuration.redactsRepetitions, isCertain || RedactionRules.looksRandom(secret),
            !rules.isHarmless(secret)
        {
            learned.insert(secret)
        }
        if !rules.isHarmless(secret) { learnPassword(of: value.bytes, from: start) }
        return value.bytes[..<start] + mask
    }

    /// Returns the placeholder for a secret, or nil if the value is harmless.
    ///
    /// - Parameters:
    ///   - secret: The secret, unescaped.
    ///   - kind: The reason why it is considered a secret.
    ///   - name: The name of the value.
    /// - Returns: The placeholder.
    mutating func placeholder(for secret: [UInt8], _ kind: HARRedactor.Kind, name: String? = nil) -> [UInt8]? {
        guard !rules.isHarmless(secret) else { return nil }
        findings?.append(HARRedactor.Finding(kind: kind, name: name, pointer: pointer))
        // Values of cookies may be words and dates, which occur elsewhere with another meaning.
        if rules.configuration.redactsRepetitions, kind != .cookie || RedactionRules.looksRandom(secret) {
            learned.insert(secret)
        }
        return rules.placeholder(for: secret)
    }

    /// Returns the replacement for the value of a named secret.
    ///
    /// An authentication scheme is unchanged.
    mutating func credentials(_ value: [UInt8], kind: HARRedactor.Kind, name: String) -> [UInt8]? {
        let start = Self.credentialsStart(in: value)
        let secret = Array(value[start...])
        if !rules.isHarmless(secret) { learnPassword(of: value, from: start) }
        return placeholder(for: secret, kind, name: name).map { value[..<start] + $0 }
    }

    /// Learns the password of Basic credentials (RFC 7617, section 2).
    private mutating func learnPassword(of value: [UInt8], from start: Int) {
        guard rules.configuration.redactsRepetitions,
            value.prefix(start).map({ $0 | 0x20 }).starts(with: "basic ".utf8),
            let pair = Array(value[start...]).withUnsafeBytes({ Base64Candidate.runs(in: $0).first?.decoded(in: $0) }),
            let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else { return }
        learned.insert(Array(pair[(colon + 1)...]))
    }

    /// Returns the offset of the credentials after an authentication scheme; 0 if the value begins with no scheme.
    private static func credentialsStart(in value: [UInt8]) -> Int {
        let scheme = value.prefix { $0.isPartOfWord || $0 == UInt8(ascii: "-") }
        guard scheme.count < value.count, value[scheme.count] == 0x20, isScheme(scheme) else { return 0 }
        return value[scheme.count...].firstIndex { $0 != 0x20 } ?? value.count
    }

    /// Whether a word is an authentication scheme, registered (https://www.iana.org/assignments/http-authschemes) or
    /// used by a service.
    private static func isScheme(_ scheme: ArraySlice<UInt8>) -> Bool {
        schemes.contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    private static let schemes: Set = [
        "apikey", "aws4-hmac-sha256", "basic", "bearer", "digest", "dpop", "gnap", "hawk", "hoba", "jwt", "mutual",
        "negotiate", "ntlm", "oauth", "privatetoken", "scram-sha-1", "scram-sha-256", "signature", "sso-key", "token",
        "vapid",
    ]
}

extension Redaction {
    /// Whether a text begins like a GraphQL document (https://spec.graphql.org/October2021/#sec-Document).
    static func isGraphQL(_ text: UnsafeRawBufferPointer) -> Bool {
        let start = JSONTextBounds.skipBlanks(in: text, from: 0)
        guard start < text.count, "qmsf{".utf8.contains(text[start]) else { return false }
        let rest = text[from: start]
        return ["query", "mutation", "subscription", "fragment", "{"].contains { rest.starts(with: $0.utf8) }
    }

    /// Returns the edits of arguments within a GraphQL document, as opposed to its variables.
    mutating func graphQLEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        var offset = 0
        while let found = text[from: offset].firstOffset(of: UInt8(ascii: ":")) {
            let colon = offset + found
            offset = colon + 1
            var start = colon
            while start > 0, text[start - 1].isPartOfWord, colon - start < 256 { start -= 1 }
            let quote = JSONTextBounds.skipBlanks(in: text, from: offset)
            guard start < colon, quote < text.count, text[quote] == UInt8(ascii: "\"") else { continue }
            let end = JSONTextBounds.stringEnd(in: text, from: quote).end
            offset = end
            let name = String(decoding: text[start..<colon], as: UTF8.self)
            guard isCandidate(name, in: .json), end - quote > 2, text[end - 1] == UInt8(ascii: "\"") else { continue }
            let value = DecodedText(json: text[from: quote + 1, to: end - 1]).bytes
            if let replacement = replacement(for: NamedValue(name: name, bytes: value, context: .json)) {
                edits.append(TextEdit(range: quote + 1..<end - 1, replacement: replacement))
            }
        }
        return edits
    }
}
