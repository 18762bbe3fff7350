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

    private let headers: Set<[UInt8]>
    private let queryItems: Set<[UInt8]>
    private let formFields: Set<[UInt8]>
    private let jsonKeys: Set<[UInt8]>
    private let allowedNames: Set<[UInt8]>
    private let hasOwnNames: Bool

    /// Whether exactly the well-known names are secrets.
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
        headers = Self.folded(configuration.headers)
        queryItems = Self.folded(configuration.queryItems)
        formFields = Self.folded(configuration.formFields)
        jsonKeys = Self.folded(configuration.jsonKeys)
        hasOwnNames = ![headers, queryItems, formFields, jsonKeys].allSatisfy(\.isEmpty)
        isASCII =
            patterns.isEmpty && [headers, queryItems, formFields, jsonKeys].allSatisfy { $0.allSatisfy(\.isASCII) }
        allowedNames = Self.folded(configuration.allowedNames)
        hasOnlyKnownNames = !hasOwnNames && allowedNames.isEmpty && configuration.redactsKnownNames
        allowedValues = Set(configuration.allowedValues.map { Array($0.utf8) })
    }

    private static func folded(_ names: Set<String>) -> Set<[UInt8]> { Set(names.compactMap(SecretNames.folded)) }

    /// Returns the likelihood that a value with this name is a secret.
    func strength(of name: String, in context: NamedValue.Context) -> SecretNames.Strength {
        name.withUTF8Bytes { strength(of: $0, in: context) }
    }

    /// Returns the likelihood that a value with this name is a secret.
    func strength(of name: UnsafeRawBufferPointer, in context: NamedValue.Context) -> SecretNames.Strength {
        if hasOwnNames || !allowedNames.isEmpty {
            guard let folded = SecretNames.folded(String(decoding: name, as: UTF8.self)),
                !allowedNames.contains(folded)
            else { return .none }
            let isOwn =
                switch context {
                case .header: headers.contains(folded)
                case .cookie: false
                case .query: queryItems.contains(folded)
                case .form: formFields.contains(folded)
                case .json, .number, .container: jsonKeys.contains(folded)
                // In plain text, the kind of a value is unknown.
                case .text: [headers, queryItems, formFields, jsonKeys].contains { $0.contains(folded) }
                }
            if isOwn { return .certain }
        }
        if context == .cookie { return configuration.redactsCookies ? .certain : .none }
        return configuration.redactsKnownNames ? SecretNames.strength(of: name) : .none
    }

    /// Whether a value with this name may be a secret and must be examined.
    func isCandidate(_ name: UnsafeRawBufferPointer, in context: NamedValue.Context) -> Bool {
        let strength = strength(of: name, in: context)
        if strength != .none, context != .container { return true }
        // Most names are not looked up twice.
        let isKnown = strength == .none && context != .cookie && hasOnlyKnownNames
        return !isKnown && isMasked(name, in: context)
    }

    /// Whether a name in text belongs to a secret, regardless of the value.
    func isSecret(_ name: UnsafeRawBufferPointer) -> Bool { strength(of: name, in: .text) == .certain }

    /// Whether a name in text belongs to a secret, regardless of the value.
    func isSecret(_ name: String) -> Bool { strength(of: name, in: .text) == .certain }

    /// Whether messages must mask a value with this name, regardless of the value.
    func isMasked(_ name: String, in context: NamedValue.Context) -> Bool {
        mask != nil && (context == .cookie || SecretNames.isSecret(name))
    }

    /// Whether messages must mask a value with this name, regardless of the value.
    func isMasked(_ name: UnsafeRawBufferPointer, in context: NamedValue.Context) -> Bool {
        mask != nil && (context == .cookie || SecretNames.strength(of: name) != .none)
    }

    /// Whether a value is not a secret, because it is harmless, allowed, or a placeholder.
    func isHarmless(_ value: [UInt8]) -> Bool {
        SecretValue.isHarmless(value) || Placeholder.isPlaceholder(value) || value == mask?.secret
            || allowedValues.contains(value)
    }

    /// Returns the placeholder for a secret.
    func placeholder(for secret: [UInt8]) -> [UInt8] { Placeholder.of(secret, key: key) }
}

extension [UInt8] {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}
