/// Names of types, properties and operations.
enum TypeName {
    /// Returns the words of a text: its letters and digits, divided by other characters.
    static func words(of text: String) -> [String] {
        text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    /// Returns words in lower camel case, such as `getItems`.
    static func camelCase(_ words: [String]) -> String {
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        guard let first = words.first else { return "value" }
        // A word in uppercase is an abbreviation.
        let start = first == first.uppercased() ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return ([start] + rest).joined()
    }

    /// Returns the Swift name of a property, escaped if it is a keyword.
    static func property(for name: String) -> String {
        let words = words(of: name)
        let text = words.isEmpty ? "value" : camelCase(words)
        let valid = text.first?.isNumber == true ? "_" + text : text
        return keywords.contains(valid) ? "`\(valid)`" : valid
    }

    /// Returns the Swift name of a type.
    static func type(for name: String) -> String {
        let words = words(of: name)
        let text = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let valid = text.isEmpty ? "Value" : text.first?.isNumber == true ? "Value" + text : text
        return reserved.contains(valid) ? valid + "Value" : valid
    }

    /// The names of types that generated code uses, and of members that types cannot have.
    private static let reserved: Set = [
        "Any", "Array", "Bool", "Codable", "CodingKey", "CodingKeys", "Decimal", "Decodable", "Decoder", "Double",
        "Encodable", "Encoder", "Int", "JSON", "Optional", "Protocol", "Self", "Sendable", "String", "Type",
        "Dictionary",
    ]

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while", "actor", "async", "await", "some", "any",
        "Type", "Protocol", "Self",
    ]
}

/// Unique names.
struct UniqueNames {
    private var used: Set<String> = []

    /// Creates a list.
    ///
    /// - Parameter reserved: The names that must not be used; none by default.
    init(reserved: Set<String> = []) {
        used = reserved
    }

    /// Returns a name, with a number if it was used.
    mutating func name(for name: String) -> String {
        var (result, number) = (name, 2)
        while !used.insert(result).inserted {
            // A keyword is escaped with backticks.
            let plain = name.filter { $0 != "`" }
            (result, number) = ("\(plain)\(number)", number + 1)
        }
        return result
    }
}
