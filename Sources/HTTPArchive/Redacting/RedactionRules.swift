import Crypto

/// The settings of a redactor as they are needed while it works.
struct RedactionRules: Sendable {
    /// The user's settings.
    let configuration: HARRedactor.Configuration

    /// The user's regular expressions.
    let patterns: UserPatterns

    /// The key of placeholders; `nil` for the bare word.
    var key: SymmetricKey?

    /// Secrets that are found wherever they stand.
    var known = RepeatedSecrets()

    /// Whether no name or pattern of the user has anything to do with other text than that of ASCII.
    let isASCII: Bool

    private let headers: Set<[UInt8]>
    private let queryItems: Set<[UInt8]>
    private let formFields: Set<[UInt8]>
    private let jsonKeys: Set<[UInt8]>
    private let allowedNames: Set<[UInt8]>
    private let allowedValues: Set<[UInt8]>

    /// Prepares settings.
    ///
    /// - Throws: `invalidRule` for a pattern that is no regular expression; `invalidSetting` for a key that is too short.
    init(_ configuration: HARRedactor.Configuration) throws(HARError) {
        self.configuration = configuration
        patterns = try UserPatterns(configuration.patterns)
        key = try configuration.key.resolved()
        headers = Self.folded(configuration.headers)
        queryItems = Self.folded(configuration.queryItems)
        formFields = Self.folded(configuration.formFields)
        jsonKeys = Self.folded(configuration.jsonKeys)
        isASCII =
            patterns.isEmpty && [headers, queryItems, formFields, jsonKeys].allSatisfy { $0.allSatisfy(\.isASCII) }
        allowedNames = Self.folded(configuration.allowedNames)
        allowedValues = Set(configuration.allowedValues.map { Array($0.utf8) })
    }

    private static func folded(_ names: Set<String>) -> Set<[UInt8]> { Set(names.compactMap(SecretNames.folded)) }

    /// How much a name says of its value.
    func strength(of name: String, in context: NamedValue.Context) -> SecretNames.Strength {
        let own =
            switch context {
            case .header: headers
            case .cookie: Set<[UInt8]>()
            case .query: queryItems
            case .form: formFields
            case .json, .number, .container: jsonKeys
            }
        if !allowedNames.isEmpty || !own.isEmpty {
            guard let folded = SecretNames.folded(name), !allowedNames.contains(folded) else { return .none }
            if own.contains(folded) { return .certain }
        }
        if context == .cookie { return configuration.redactsCookies ? .certain : .none }
        return configuration.redactsKnownNames ? SecretNames.strength(of: name) : .none
    }

    /// Whether a value is none that could be a secret: empty, allowed, a placeholder, or a word of programs.
    func isHarmless(_ value: [UInt8]) -> Bool {
        value.isEmpty || Placeholder.isPlaceholder(value) || Self.words.contains(value) || allowedValues.contains(value)
    }

    /// What stands in place of a secret.
    func placeholder(for secret: [UInt8]) -> [UInt8] { Placeholder.of(secret, key: key) }

    /// Whether a value looks as if it had been drawn by lot: of one piece, with letters and digits.
    static func looksRandom(_ value: [UInt8], least: Int = 16) -> Bool {
        guard value.count >= least, value.count <= 8192 else { return false }
        var digits = 0
        var letters = 0
        for byte in value {
            if byte.isDigit {
                digits += 1
            } else if byte.isPartOfWord {
                letters += 1
            } else if !"-._~+/=:".utf8.contains(byte) {
                return false
            }
        }
        return digits >= 2 && letters >= 2
    }

    private static let words = Set(
        ["null", "true", "false", "undefined", "none", "deleted", "0", "1"].map { Array($0.utf8) })
}

extension [UInt8] {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}
