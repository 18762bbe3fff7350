/// The settings of a redactor, prepared for fast lookup.
struct RedactionRules: Sendable {
    /// The user's settings.
    let configuration: HARRedactor.Configuration

    /// The user's regular expressions.
    let patterns: UserPatterns

    /// The key for placeholders, or nil for the bare word.
    var key: AuthenticationKey?

    /// The replacements for values with well-known names in messages.
    struct Mask: Sendable {
        /// The replacement for a secret.
        var secret: [UInt8]

        /// The replacement for the user and the password of a URL, including the `@` if it remains.
        var user: [UInt8]
    }

    /// The replacements used in messages; nil when redacting an archive.
    var mask: Mask?

    /// The secrets to replace wherever they occur.
    var known = RepeatedSecrets()

    /// Whether only ASCII text can contain secrets, because the user's names are all ASCII and there are no patterns.
    let isASCII: Bool

    /// The user's names of secrets in each kind of text.
    private let ownNames: [NameContext: Set<[UInt8]>]

    private let allowedNames: Set<[UInt8]>
    private let hasOwnNames: Bool

    /// Whether exactly the well-known names are secrets, apart from cookies.
    private let hasOnlyKnownNames: Bool

    private let allowedValues: Set<[UInt8]>

    /// Prepares settings.
    ///
    /// - Throws: `invalidRule` if a pattern is not a valid regular expression; `invalidSetting` if the key is too
    ///   short.
    init(_ configuration: HARRedactor.Configuration) throws(HARError) {
        let patterns = try UserPatterns(configuration.patterns)
        self.init(masking: configuration, patterns: patterns)
        key = try configuration.key.resolved()
    }

    /// Prepares settings for replacing secrets with the bare word, which needs no key.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - patterns: The user's regular expressions, compiled; none by default.
    init(masking configuration: HARRedactor.Configuration, patterns: UserPatterns = UserPatterns()) {
        self.configuration = configuration
        self.patterns = patterns
        let jsonKeys = Self.folded(configuration.jsonKeys)
        let own: [NameContext: Set<[UInt8]>] = [
            .header: Self.folded(configuration.headers), .query: Self.folded(configuration.queryItems),
            .form: Self.folded(configuration.formFields), .json: jsonKeys, .number: jsonKeys, .container: jsonKeys,
        ]
        // In plain text, the kind of a value is unknown.
        let all = own.values.reduce(into: Set()) { $0.formUnion($1) }
        ownNames = own.merging([.text: all]) { $1 }
        hasOwnNames = !all.isEmpty
        isASCII = patterns.isEmpty && all.allSatisfy { $0.allSatisfy { $0 < 0x80 } }
        allowedNames = Self.folded(configuration.allowedNames)
        hasOnlyKnownNames = !hasOwnNames && allowedNames.isEmpty && configuration.redactsKnownNames
        allowedValues = Set(configuration.allowedValues.map { Array($0.utf8) })
    }

    /// Whether exactly the well-known names belong to secrets in a kind of text.
    ///
    /// This applies to most redactors, which need not look up a name twice.
    @inline(__always)
    func hasOnlyKnownNames(in context: NameContext) -> Bool {
        hasOnlyKnownNames && context != .cookie && context != .container
    }

    private static func folded(_ names: Set<String>) -> Set<[UInt8]> { Set(names.compactMap(SecretNames.folded)) }

    /// Returns the likelihood that a value with this name is a secret.
    func strength(of name: String, in context: NameContext) -> SecretNames.Strength {
        strength(of: name, SecretNames.strength(of: name), in: context)
    }

    /// Returns the likelihood that a value with this name is a secret.
    func strength(of name: UnsafeRawBufferPointer, in context: NameContext) -> SecretNames.Strength {
        strength(of: String(decoding: name, as: UTF8.self), SecretNames.strength(of: name), in: context)
    }

    /// Returns the likelihood that a value with this name is a secret.
    ///
    /// - Parameters:
    ///   - name: The name, which is only read if the user's settings contain names.
    ///   - known: The likelihood without the user's settings.
    ///   - context: The kind of text that contains the value.
    /// - Returns: The likelihood.
    private func strength(
        of name: @autoclosure () -> String, _ known: @autoclosure () -> SecretNames.Strength, in context: NameContext
    ) -> SecretNames.Strength {
        if hasOwnNames || !allowedNames.isEmpty {
            guard let folded = SecretNames.folded(name()), !allowedNames.contains(folded) else { return .none }
            if ownNames[context]?.contains(folded) == true { return .certain }
        }
        if context == .cookie { return configuration.redactsCookies ? .certain : .none }
        return configuration.redactsKnownNames ? known() : .none
    }

    /// Whether a name in text belongs to a secret, regardless of the value.
    func isSecret(_ name: UnsafeRawBufferPointer) -> Bool { strength(of: name, in: .text) == .certain }

    /// Returns whether messages must mask a value, regardless of the value.
    ///
    /// - Parameters:
    ///   - known: The likelihood that a value with this name is a secret, without the user's settings.
    ///   - context: The kind of text that contains the value.
    /// - Returns: Whether the value must be masked.
    func isMasked(_ known: @autoclosure () -> SecretNames.Strength, in context: NameContext) -> Bool {
        mask != nil && (context == .cookie || known() != .none)
    }

    /// Whether a value is not a secret, because it is harmless, allowed, or a placeholder.
    func isHarmless(_ value: [UInt8]) -> Bool {
        SecretValue.isHarmless(value) || Placeholder.isPlaceholder(value) || value == mask?.secret
            || allowedValues.contains(value)
    }

    /// Returns the placeholder for a secret.
    func placeholder(for secret: [UInt8]) -> [UInt8] { Placeholder.of(secret, key: key) }
}

/// The kind of text that contains a value with a name, which may indicate that the value is a secret.
enum NameContext { case header, cookie, query, form, json, container, number, text }
