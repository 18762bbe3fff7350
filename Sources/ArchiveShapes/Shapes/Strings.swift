import HTTPArchive

extension Shape {
    /// A format that strings can have.
    ///
    /// JSON Schema defines the names (https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3).
    enum Format: String, CaseIterable, Sendable {
        case dateTime = "date-time"
        case date
        case uuid
        case email
        case uri
        case ipv4

        /// A decimal number, which JSON Schema does not name.
        case number

        /// The position among the cases.
        var rank: UInt8 {
            switch self {
            case .dateTime: 0
            case .date: 1
            case .uuid: 2
            case .email: 3
            case .uri: 4
            case .ipv4: 5
            case .number: 6
            }
        }
    }

    /// The strings that a shape describes.
    struct Strings: Sendable {
        /// A string that occurred, and how often.
        struct Value: Sendable {
            let bytes: [UInt8]
            let start: TextStart
            var count = 1

            init(_ text: UnsafeRawBufferPointer) {
                bytes = [UInt8](text)
                start = TextStart(text)
            }

            var text: String { String(decoding: bytes, as: UTF8.self) }
        }

        /// The maximum number of different strings of an enumeration.
        private static let valueLimit = 16

        /// The maximum size of a string of an enumeration, in bytes.
        private static let sizeLimit = 40

        /// The number of strings.
        private(set) var count = 0

        /// The number of empty strings.
        private(set) var emptyCount = 0

        /// The bits of the formats that occurred, in the order of the cases; the last bit for strings without a format.
        private var formats: UInt8 = 0

        /// The different strings, until ``isOpen``.
        private(set) var values: [Value] = []

        /// Whether the strings are too different, too many or too long for an enumeration.
        private(set) var isOpen = false

        /// Adds a string.
        ///
        /// - Parameter text: The text between the quotation marks.
        mutating func add(_ text: UnsafeRawBufferPointer) {
            count += 1
            if text.isEmpty {
                emptyCount += 1
                return
            }
            // A format of the other strings is of no use after one without a format.
            if formats & Self.plainBit == 0 { formats |= Self.bit(of: Format(of: text)) }
            if isOpen { return }
            guard text.count <= Self.sizeLimit, Self.isIdentifier(text) else { return open() }
            insert(Value(text))
        }

        /// Adds a string that occurred before, and returns whether it did.
        ///
        /// - Parameter text: The text between the quotation marks.
        /// - Returns: Whether it is one of ``values``.
        mutating func addKnown(_ text: UnsafeRawBufferPointer) -> Bool {
            if values.isEmpty { return false }
            let start = TextStart(text)
            for index in values.indices where values[index].start.matches(start, values[index].bytes, text) {
                values[index].count += 1
                count += 1
                return true
            }
            return false
        }

        private mutating func insert(_ value: Value) {
            if values.count == Self.valueLimit { open() } else { values.append(value) }
        }

        private mutating func open() {
            isOpen = true
            values = []
        }

        mutating func merge(_ other: Strings) {
            count += other.count
            emptyCount += other.emptyCount
            formats |= other.formats
            if formats & Self.plainBit != 0 { formats = Self.plainBit }
            if other.isOpen { open() }
            guard !isOpen else { return }
            for value in other.values {
                if let index = values.firstIndex(where: { $0.bytes == value.bytes }) {
                    values[index].count += value.count
                } else if !isOpen {
                    insert(value)
                }
            }
        }

        private static let plainBit: UInt8 = 0x80

        private static func bit(of format: Format?) -> UInt8 { format.map { 1 << $0.rank } ?? plainBit }

        /// The format of all strings, except empty ones, or nil if they have none or several.
        var format: Format? { Format.allCases.first { formats == Self.bit(of: $0) } }

        /// The format of these strings, if all strings of another shape have formats, but not this one.
        func formatMissing(in other: Strings) -> (known: [Format], found: Format?)? {
            let plain = Self.plainBit
            guard other.formats != 0, other.formats & plain == 0, formats & ~other.formats != 0 else { return nil }
            let known = Format.allCases.filter { other.formats & Self.bit(of: $0) != 0 }
            return (known, Format.allCases.first { formats & ~other.formats & Self.bit(of: $0) != 0 })
        }

        /// Whether the text consists of letters, digits, hyphens, underscores, periods and colons, like the names in
        /// enumerations.
        private static func isIdentifier(_ text: UnsafeRawBufferPointer) -> Bool {
            guard let first = text.first, 0x61...0x7A ~= first | 0x20 else { return false }
            return text.allSatisfy {
                0x61...0x7A ~= $0 | 0x20 || $0.isDigit || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E || $0 == 0x3A
            }
        }
    }
}

extension Shape.Strings {
    /// Returns whether the strings are the values of an enumeration.
    ///
    /// Every value must have occurred several times. In members whose name is usual for enumerations, such as `status`,
    /// fewer occurrences suffice.
    ///
    /// - Parameter name: The name of the member.
    /// - Returns: `true` if the recorded values appear to be complete.
    func isEnumeration(named name: String) -> Bool {
        guard !isOpen, !values.isEmpty, format == nil else { return false }
        let occurrences = values.reduce(0) { $0 + $1.count }
        if Self.isUsual(name) { return occurrences >= 3 && occurrences > values.count }
        return values.allSatisfy { $0.count > 1 } && occurrences >= 6 && occurrences >= 4 * values.count
    }

    private static let usualNames = [
        "status", "state", "type", "kind", "role", "level", "category", "currency", "visibility", "priority",
        "severity", "mode", "phase", "scope", "unit", "method",
    ]

    private static func isUsual(_ name: String) -> Bool {
        let name = name.lowercased()
        return usualNames.contains { name.hasSuffix($0) }
    }
}

extension Shape.Format {
    /// The format of a string that is not empty, or nil for other strings.
    ///
    /// - Parameter text: The text between the quotation marks.
    init?(of text: UnsafeRawBufferPointer) {
        let first = text[0]
        if first.isDigit || first == UInt8(ascii: "-") {
            if text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), Self.isDate(text) {
                if text.count == 10 { self = .date } else { self = .dateTime }
                return
            }
            if Self.isUUID(text) {
                self = .uuid
            } else if JSONText.isNumber(text) {
                self = .number
            } else {
                guard Self.isAddress(text) else { return nil }
                self = .ipv4
            }
            return
        }
        if Self.isUUID(text) {
            self = .uuid
        } else if Self.isURI(text) {
            self = .uri
        } else if Self.isEmail(text) {
            self = .email
        } else {
            return nil
        }
    }

    /// Whether a text begins with a date, and a time follows if it is longer (RFC 3339, section 5.6,
    /// https://www.rfc-editor.org/rfc/rfc3339#section-5.6), also with a space before the time.
    private static func isDate(_ text: UnsafeRawBufferPointer) -> Bool {
        guard [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy({ text[$0].isDigit }) else { return false }
        if text.count == 10 { return true }
        guard text.count >= 16, text.count <= 40, [0x54, 0x74, 0x20].contains(text[10]) else { return false }
        return text[11].isDigit && text[12].isDigit && text[13] == UInt8(ascii: ":")
    }

    private static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 36 else { return false }
        return text.indices.allSatisfy {
            [8, 13, 18, 23].contains($0) ? text[$0] == UInt8(ascii: "-") : JSONText.isHexadecimal(text[$0])
        }
    }

    private static func isAddress(_ text: UnsafeRawBufferPointer) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { 1...3 ~= $0.count && $0.allSatisfy(\.isDigit) }
    }

    /// Whether a text is an absolute URL with an authority.
    private static func isURI(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 8, 0x61...0x7A ~= text[0] else { return false }
        // The slashes may be escaped in JSON.
        for (offset, byte) in text.prefix(16).enumerated() where byte == UInt8(ascii: ":") {
            let rest = text[(offset + 1)...].prefix(4)
            guard rest.first == UInt8(ascii: "/") || rest.starts(with: Array("\\/".utf8)) else { return false }
            return rest.filter { $0 == UInt8(ascii: "/") }.count >= 2 && !text.contains(UInt8(ascii: " "))
        }
        return false
    }

    private static func isEmail(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= 254, let at = text.firstOffset(of: UInt8(ascii: "@")), at > 0 else { return false }
        let domain = text[(at + 1)...]
        return domain.contains(UInt8(ascii: ".")) && domain.first != UInt8(ascii: ".")
            && !text.contains { $0 <= 0x20 || $0 == UInt8(ascii: "/") } && !domain.contains(UInt8(ascii: "@"))
    }
}
