/// The names of elements or attributes in XML and HTML that name a value or contain one.
struct MarkupNames: Sendable {
    /// The meaning of an element or an attribute.
    struct Role: OptionSet {
        let rawValue: UInt8

        /// The text is the name of a value.
        static let name = Self(rawValue: 1)

        /// The text is a value with a name that precedes it.
        static let value = Self(rawValue: 2)

        /// The text of the element is a value that an attribute names.
        static let named = Self(rawValue: 4)

        /// The attribute is the type of a form field.
        static let type = Self(rawValue: 8)
    }

    private var roles: [String: Role] = [:]

    /// The lengths of the names that begin with each letter, as bits, so that most other names need only one lookup.
    private var lengths = [UInt32](repeating: 0, count: 32)

    /// - Parameter names: The names with each role, in lowercase, separated by spaces.
    private init(_ names: [(Role, String)]) {
        for (role, names) in names {
            for name in names.split(separator: " ") {
                roles[String(name), default: []].insert(role)
                if let first = name.utf8.first { lengths[Int(first & 31)] |= 1 << UInt32(name.utf8.count) }
            }
        }
    }

    /// Returns the role of a name, ignoring the case of letters.
    subscript(name: UnsafeRawBufferPointer) -> Role {
        guard name.count < 32, let first = name.first, lengths[Int(first & 31)] >> UInt32(name.count) & 1 != 0 else {
            return []
        }
        return roles[String(decoding: name, as: UTF8.self).lowercased()] ?? []
    }

    /// The names of elements, as in property lists, XML-RPC and configuration files.
    static let elements = MarkupNames([
        (.name, "name key n k paramname parametername propertyname"),
        (.value, "value val v string integer int data text attributevalue i4 base64 paramvalue"),
        (
            .named,
            """
            textarea string param parameter property attribute field entry item value var variable header data setting \
            add nvpair output arg argument int option element
            """
        ),
    ])

    /// The names of attributes.
    static let attributes = MarkupNames([
        (.name, "name id key property itemprop http-equiv data-name n k field param"),
        (.value, "value content val v data-value data-content text"),
        (.type, "type"),
    ])
}
