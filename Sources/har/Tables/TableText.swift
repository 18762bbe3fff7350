import HTTPArchive

/// The text of consecutive rows.
struct TableText: Sendable {
    private static let quote = UInt8(ascii: "\"")

    private let format: TableFormat
    private let columns: [TableColumn]

    /// Whether text fields of CSV have an apostrophe before a character that begins a formula.
    private let avoidsFormulas: Bool

    /// The text before each value in NDJSON; empty for CSV.
    private let separators: [[UInt8]]

    /// The text, in UTF-8.
    private(set) var bytes: [UInt8] = []

    /// The end offset of each row.
    private(set) var rowEnds: [Int] = []

    /// Creates text without rows.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - format: The format.
    ///   - avoidsFormulas: Whether text fields of CSV have an apostrophe before a character that begins a formula.
    init(columns: [TableColumn], format: TableFormat, avoidsFormulas: Bool) {
        self.format = format
        self.avoidsFormulas = avoidsFormulas
        self.columns = columns
        separators =
            format == .csv
            ? []
            : columns.enumerated().map { index, column in
                Array("\(index == 0 ? "{" : ",")\"\(column.rawValue)\":".utf8)
            }
    }

    /// Appends a row.
    mutating func append(_ row: consuming TableRow) {
        for (index, column) in columns.enumerated() {
            switch format {
            case .csv: if index > 0 { bytes.append(UInt8(ascii: ",")) }
            case .ndjson: bytes += separators[index]
            }
            append(row.value(of: column))
        }
        bytes += format == .csv ? "\n".utf8 : "}\n".utf8
        rowEnds.append(bytes.count)
    }

    private mutating func append(_ value: TableValue) {
        switch value {
        case .null: if format == .ndjson { bytes += "null".utf8 }
        case .integer(let integer): bytes += String(integer).utf8
        case .number(let number): bytes += Self.text(of: number).utf8
        case .boolean(let boolean): bytes += boolean ? "true".utf8 : "false".utf8
        case .text(let text) where format == .csv: append(field: avoidsFormulas ? text.withoutFormula : text)
        case .text(let text): append(string: text, quotedBy: "\"")
        case .map(let fields):
            // In CSV, quotation marks in a quoted field are doubled.
            if format == .csv { bytes.append(Self.quote) }
            append(object: fields, quotedBy: format == .csv ? "\"\"" : "\"")
            if format == .csv { bytes.append(Self.quote) }
        }
    }

    /// Returns the shortest text that is converted back to the same number.
    private static func text(of number: Double) -> String {
        // These integers are exact, and `description` would add a fraction.
        abs(number) < 1e15 && number.rounded() == number ? String(Int(clamping: number)) : number.description
    }

    /// Appends a field of CSV.
    ///
    /// An empty field is null, so empty text is quoted.
    private mutating func append(field text: String) {
        let isPlain = Self.isFree(text, of: Self.isQuoted)
        if isPlain, !text.isEmpty {
            bytes += text.utf8
            return
        }
        bytes.append(Self.quote)
        append(text, replacing: { $0 == Self.quote }, with: { _, bytes in bytes += [Self.quote, Self.quote] })
        bytes.append(Self.quote)
    }

    private mutating func append(object fields: [(name: String, value: String)], quotedBy quote: StaticString) {
        bytes.append(UInt8(ascii: "{"))
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(string: field.name, quotedBy: quote)
            bytes.append(UInt8(ascii: ":"))
            append(string: field.value, quotedBy: quote)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a JSON string.
    ///
    /// - Parameters:
    ///   - text: The decoded text.
    ///   - quote: The spelling of quotation marks: one, or two in a quoted field of CSV.
    private mutating func append(string text: String, quotedBy quote: StaticString) {
        append(quote)
        if Self.isFree(text, of: Self.isEscaped) {
            bytes += text.utf8
        } else {
            append(text, replacing: Self.isEscaped) { byte, bytes in Self.escape(byte, quotedBy: quote, into: &bytes) }
        }
        append(quote)
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes += $0 } }

    /// Appends text in which some bytes are replaced, and copies the bytes between them together.
    @inline(__always)
    private mutating func append(
        _ text: String, replacing isReplaced: (UInt8) -> Bool, with replace: (UInt8, inout [UInt8]) -> Void
    ) {
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for (offset, byte) in utf8.enumerated() where isReplaced(byte) {
                bytes += utf8[start..<offset]
                replace(byte, &bytes)
                start = offset + 1
            }
            bytes += utf8[start...]
        }
    }

    /// Whether no byte of a text satisfies a condition.
    ///
    /// All bytes are tested, because the compiler then tests many at a time.
    @inline(__always)
    private static func isFree(_ text: String, of condition: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var isFound = false
            for byte in bytes { isFound = condition(byte) || isFound }
            return !isFound
        }
    }

    /// Whether a byte requires quotation marks around a field of CSV.
    @inline(__always)
    private static func isQuoted(_ byte: UInt8) -> Bool {
        byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Whether a byte is written as an escape sequence in JSON.
    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, quotedBy quote: StaticString, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case Self.quote: quote.withUTF8Buffer { bytes += $0 }
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20: bytes += "u00".utf8 + Hexadecimal.digits(CollectionOfOne(byte))
        default: bytes.append(byte)
        }
    }
}
