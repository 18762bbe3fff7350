/// One pass over an entry, a page or a body, which finds secrets and collects them for the next pass.
struct Redaction {
    /// The maximum depth of nested text, such as JSON in Base64 in JSON.
    static let deepest = 5

    /// The settings.
    let rules: RedactionRules

    /// The secrets that earlier passes have found.
    let repeated: RepeatedSecrets

    /// The secrets that this pass has found and the next pass searches for.
    var learned = RepeatedSecrets()

    /// The placeholders for the first secrets.
    private var placeholders: [[UInt8]: [UInt8]] = [:]

    /// The maximum number of placeholders to keep.
    private static let mostPlaceholders = 1000

    /// The findings so far, or nil if they are not requested.
    var findings: [HARRedactor.Finding]?

    /// The location of the current string.
    var pointer = JSONPointer()

    /// The strings in which earlier passes have found no secrets, which have the same tokens and names in this pass.
    var settled = SettledStrings()

    /// The header fields and short strings without secrets that this pass need not search, or nil if it searches all.
    var plainFields: PlainFields?

    /// Whether an earlier pass has replaced all tokens.
    var skipsTokens = false

    /// Whether the current value of a custom field is an element of an array.
    var isInArray = false

    /// The current body if the archive does not declare how it was recorded, with its redaction so far.
    var undeclaredBody: InterpretedBody?

    /// The number of bytes that may still be decompressed, which limits the time spent on highly compressed text.
    var inflatable = Self.mostInflated

    /// The maximum number of bytes that one pass decompresses.
    static let mostInflated = 2 * CompressedBytes.sizeLimit

    /// The maximum number of bytes that are decompressed for a message.
    private static let mostInflatedForMessage = 1 << 12

    /// Whether compressed text was not searched, because it was larger than ``inflatable``.
    var isIncomplete = false

    /// Whether the last text that was parsed as JSON has unquoted names, as in JSON5 and JavaScript.
    var hasUnquotedNames = false

    /// The nesting depth of the current text.
    var depth = 0

    /// The number of secrets that may still be replaced individually in the current string; unlimited outside a string.
    private var remainingSecrets = Int.max

    /// The maximum number of secrets that are replaced individually in a string, which limits the memory for edits.
    static let mostSecrets = 1 << 17

    /// Creates a pass.
    ///
    /// - Parameters:
    ///   - rules: The settings.
    ///   - repeated: The secrets that earlier passes have found; by default, the known secrets of the rules.
    init(_ rules: RedactionRules, repeated: RepeatedSecrets? = nil) {
        self.rules = rules
        self.repeated = repeated ?? rules.known
        if rules.mask != nil { inflatable = Self.mostInflatedForMessage }
    }

    /// Whether a value with this name may be a secret and must be examined.
    @inline(__always)
    func isCandidate(_ name: String, in context: NameContext) -> Bool {
        rules.hasOnlyKnownNames(in: context)
            ? SecretNames.strength(of: name) != .none
            : isCandidate(rules.strength(of: name, in: context), SecretNames.strength(of: name), in: context)
    }

    /// Whether a value with this name may be a secret and must be examined.
    @inline(__always)
    func isCandidate(_ name: UnsafeRawBufferPointer, in context: NameContext) -> Bool {
        rules.hasOnlyKnownNames(in: context)
            ? SecretNames.strength(of: name) != .none
            : isCandidate(rules.strength(of: name, in: context), SecretNames.strength(of: name), in: context)
    }

    @inline(never)
    private func isCandidate(
        _ strength: SecretNames.Strength, _ known: @autoclosure () -> SecretNames.Strength, in context: NameContext
    ) -> Bool {
        strength != .none && context != .container || rules.isMasked(known(), in: context)
    }

    /// Returns the edit that replaces a value, or nil to leave it unchanged.
    ///
    /// - Parameters:
    ///   - range: The range of the value.
    ///   - name: The name of the value, unescaped.
    ///   - context: The kind of text that contains the value.
    ///   - value: The value, unescaped, which is not computed unless the name may belong to a secret.
    /// - Returns: The edit.
    mutating func edit(
        _ range: Range<Int>, named name: String, in context: NameContext, _ value: @autoclosure () -> [UInt8]
    ) -> TextEdit? {
        guard isCandidate(name, in: context) else { return nil }
        return replacement(for: value(), named: name, in: context).map { TextEdit(range: range, replacement: $0) }
    }

    /// Returns the replacement for a value, or nil to leave it unchanged.
    ///
    /// - Parameters:
    ///   - value: The value, unescaped.
    ///   - name: The name of the value, unescaped.
    ///   - context: The kind of text that contains the value.
    /// - Returns: The replacement.
    mutating func replacement(for value: [UInt8], named name: String, in context: NameContext) -> [UInt8]? {
        if let mask = rules.mask, rules.isMasked(SecretNames.strength(of: name), in: context) {
            return masked(value, named: name, in: context, by: mask.secret)
        }
        guard context != .container else { return nil }
        let strength = rules.strength(of: name, in: context)
        if strength == .none { return nil }
        if strength == .likely {
            let least = context == .query || context == .form ? 12 : 16
            guard context != .number, SecretValue.looksRandom(value, least: least) else { return nil }
        }
        if context == .number, SecretValue.isHarmless(value, isNumber: true) { return nil }
        let kind: HARRedactor.Kind =
            switch context {
            case .header: .header
            case .cookie: .cookie
            case .query: .queryItem
            case .form: .formField
            case .json, .container, .number: .jsonMember
            case .text: .namedText
            }
        // An authentication scheme before the secret is kept.
        let start = Self.credentialsStart(in: value)
        let secret = Array(value[start...])
        if !rules.isHarmless(secret) { learnPassword(of: value, from: start) }
        return placeholder(for: secret, kind, name: name).map { value[..<start] + $0 }
    }

    /// Whether a name also applies to the values inside an object.
    func isPassedOn(_ name: String) -> Bool { rules.strength(of: name, in: .json) == .certain }

    /// Returns the edits for text nested in the current text, or no edits at the maximum depth.
    mutating func deeper(_ edits: (inout Redaction) -> [TextEdit]) -> [TextEdit] {
        guard depth < Self.deepest else { return [] }
        depth += 1
        defer { depth -= 1 }
        return edits(&self)
    }

    /// Returns the edits that redact a string, or one edit that replaces the whole string if it has too many secrets.
    ///
    /// - Parameters:
    ///   - text: The whole string.
    ///   - edits: A closure that returns the edits, in order.
    /// - Returns: The edits, in order.
    mutating func limited(
        _ text: UnsafeRawBufferPointer, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> [TextEdit] {
        if settled.isSettled(text, at: pointer, without: repeated) { return [] }
        remainingSecrets = Self.mostSecrets
        defer { remainingSecrets = .max }
        settled.begin(text)
        let edits = edits(&self, text)
        settled.end(at: pointer, isUnchanged: edits.isEmpty)
        guard remainingSecrets < 0 else { return edits }
        let replacement = rules.mask?.secret ?? rules.placeholder(for: [UInt8](text))
        return [TextEdit(range: 0..<text.count, replacement: replacement)]
    }

    /// Counts a secret in the current string.
    ///
    /// - Returns: Whether the secret can be replaced individually; if not, the string is replaced as a whole.
    private mutating func count() -> Bool {
        remainingSecrets -= 1
        return remainingSecrets >= 0
    }

    /// Returns the replacement for a value that a message must not show, or nil if the value is a placeholder.
    ///
    /// A placeholder remains visible, because it is not a secret and shows that one was redacted.
    mutating func masked(
        _ value: [UInt8], named name: String, in context: NameContext, by mask: [UInt8]
    ) -> [UInt8]? {
        let start = context == .header ? Self.credentialsStart(in: value) : 0
        let secret = Array(value[start...])
        guard !Placeholder.isPlaceholder(secret), secret != mask, count() else { return nil }
        if !rules.isHarmless(secret) {
            let isCertain = context != .cookie && rules.strength(of: name, in: context) == .certain
            let isLearned = rules.configuration.redactsRepetitions && (isCertain || SecretValue.looksRandom(secret))
            if isLearned { learned.insert(secret) }
            learnPassword(of: value, from: start)
        }
        return value[..<start] + mask
    }

    /// Returns the placeholder for a secret, or nil if the value is harmless.
    ///
    /// - Parameters:
    ///   - secret: The secret, unescaped.
    ///   - kind: The reason the value is considered a secret.
    ///   - name: The name of the value.
    /// - Returns: The placeholder.
    mutating func placeholder(for secret: [UInt8], _ kind: HARRedactor.Kind, name: String? = nil) -> [UInt8]? {
        guard !rules.isHarmless(secret), count() else { return nil }
        findings?.append(HARRedactor.Finding(kind: kind, name: name, pointer: pointer))
        // A cookie value may be an ordinary word or a date that has a different meaning elsewhere.
        if rules.configuration.redactsRepetitions, kind != .cookie || SecretValue.looksRandom(secret) {
            learned.insert(secret)
        }
        // The same secret is often in a list of fields and in the text from which the list was made.
        if let known = placeholders[secret] { return known }
        let placeholder = rules.placeholder(for: secret)
        if placeholders.count < Self.mostPlaceholders { placeholders[secret] = placeholder }
        return placeholder
    }

    /// Adds the password in Basic credentials (RFC 7617, section 2) to the learned secrets.
    private mutating func learnPassword(of value: [UInt8], from start: Int) {
        guard rules.configuration.redactsRepetitions,
            value.prefix(start).map({ $0 | 0x20 }).starts(with: "basic ".utf8),
            let pair = Array(value[start...]).withUnsafeBytes({ Base64Candidate.runs(in: $0).first?.decoded(in: $0) }),
            let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else { return }
        learned.insert(Array(pair[(colon + 1)...]))
    }

    /// Returns the offset of the credentials after an authentication scheme; 0 if the value does not begin with one.
    static func credentialsStart(in value: [UInt8]) -> Int {
        let scheme = value.prefix { $0.isPartOfWord || $0 == UInt8(ascii: "-") }
        guard scheme.count < value.count, value[scheme.count] == 0x20,
            schemes.contains(String(decoding: scheme, as: UTF8.self).lowercased())
        else { return 0 }
        return value[scheme.count...].firstIndex { $0 != 0x20 } ?? value.count
    }

    /// The authentication schemes that are registered (https://www.iana.org/assignments/http-authschemes) or used by a
    /// service.
    private static let schemes: Set = [
        "apikey", "aws4-hmac-sha256", "basic", "bearer", "digest", "dpop", "gnap", "hawk", "hoba", "jwt", "mutual",
        "negotiate", "ntlm", "oauth", "privatetoken", "scram-sha-1", "scram-sha-256", "signature", "sso-key", "token",
        "vapid",
    ]
}
