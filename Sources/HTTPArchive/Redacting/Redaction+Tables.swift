/// Redaction of tables, in which a column's name applies to all of its values.
extension Redaction {
    /// The maximum length of the line or the list with the names of the columns, in bytes.
    private static let longestHeader = 1 << 13

    /// Returns the edits that redact comma-separated or tab-separated values (RFC 4180,
    /// https://www.rfc-editor.org/rfc/rfc4180).
    ///
    /// - Parameters:
    ///   - text: The text. Its first line must contain the names of the columns.
    ///   - isDeclared: Whether the media type is a table. Other text must have one name in each column and the
    ///     same number of columns in its first lines.
    /// - Returns: The edits.
    mutating func tableEdits(in text: UnsafeRawBufferPointer, isDeclared: Bool) -> [TextEdit] {
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let length = text[from: start, to: min(text.count, start + Self.longestHeader)].firstOffset(of: 0x0A)
        else { return [] }
        var header = TableFields(in: text[from: 0, to: start + length], from: start)
        guard header.columnCount > 1 || isDeclared else { return [] }
        var table = TableFields(in: text, from: start, delimiter: header.delimiter)
        var names: [String?] = []
        var pair: (name: Int?, value: Int?)
        while let field = header.next() {
            let name = text[rebasing: field.range]
            guard isDeclared || Self.isColumnName(name, delimiter: header.delimiter) else { return [] }
            if let role = PairRole(name) {
                if role == .name {
                    pair.name = pair.name ?? names.count
                } else {
                    pair.value = pair.value ?? names.count
                }
            }
            names.append(isCandidate(name, in: .text) ? String(decoding: name, as: UTF8.self) : nil)
            _ = table.next()
        }
        let hasPairs = pair.name != nil && pair.value != nil
        guard hasPairs || names.contains(where: { $0 != nil }) else { return [] }
        var edits: [TextEdit] = []
        var row = 0
        var column = 0
        var (pairName, pairValue): (String?, TableFields.Field?)
        while let field = table.next() {
            if let name = column < names.count ? names[column] : nil {
                edits += edit(field, named: name, in: text, isDeclared).map { [$0] } ?? []
            }
            if hasPairs, column == pair.name { pairName = String(decoding: text[field.range], as: UTF8.self) }
            if hasPairs, column == pair.value { pairValue = field }
            column += 1
            guard field.endsRow else { continue }
            if !isDeclared, row < 8, column != names.count, table.offset < text.count { return [] }
            if let name = pairName, let value = pairValue {
                edits += edit(value, named: name, in: text, isDeclared).map { [$0] } ?? []
            }
            (row, column, pairName, pairValue) = (row + 1, 0, nil, nil)
        }
        return edits
    }

    private mutating func edit(
        _ field: TableFields.Field, named name: String, in text: UnsafeRawBufferPointer, _ isDeclared: Bool
    ) -> TextEdit? {
        let value = text[rebasing: field.range]
        if !isDeclared, SecretValue.isSentence(value) { return nil }
        let quote = UInt8(ascii: "\"")
        return edit(field.range, named: name, in: .text, field.isQuoted ? value.withoutDoubled(quote) : [UInt8](value))
    }

    /// Whether a field in the first line of text that may be a table can be the name of a column.
    private static func isColumnName(_ name: UnsafeRawBufferPointer, delimiter: UInt8) -> Bool {
        guard let first = name.first, !first.isDigit, name.count <= 64 else { return false }
        // Sentences also contain commas.
        return columnCharacters.containsAll(of: name)
            && (delimiter == 0x09 || name.count { $0 == 0x20 } <= (delimiter == UInt8(ascii: ",") ? 0 : 2))
    }

    private static let columnCharacters = ByteSet.alphanumerics.union("_-. ()$@").withOthers

    // MARK: SQL

    /// Processes a parenthesis, which may begin the columns of an SQL statement such as
    /// `INSERT INTO users (name, password) VALUES ('ann', 'x')`, or the arguments of a call such as
    /// `define('PASSWORD', 'x')`.
    mutating func passParenthesis(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.listEnd, offset >= state.decodedEnd else { return offset + 1 }
        let next = JSONTextBounds.skipBlanks(in: text, from: offset + 1)
        guard next < text.count else { return offset + 1 }
        if Self.isQuote(text[next]), let end = passDefinition(in: text, at: offset, quote: next, &state) { return end }
        if let name = Self.nameBeforeIn(in: text, before: offset), isCandidate(text[rebasing: name], in: .text) {
            state.listEnd = passValues(in: text, at: offset, { _ in name }, &state)
            return offset + 1
        }
        guard let end = Self.columnsEnd(in: text, from: offset + 1) else { return offset + 1 }
        let keyword = JSONTextBounds.skipBlanks(in: text, from: end + 1)
        var start = keyword + 5
        guard start < text.count, text[keyword].lowercase == UInt8(ascii: "v"),
            text[keyword..<start].elementsEqual("value".utf8, by: { $0.lowercase == $1 })
        else { return offset + 1 }
        var columns: [Range<Int>?] = []
        for column in text[(offset + 1)..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let name = column.trimmingPrefix { Self.isQuote($0) || $0.isBlank || $0 == UInt8(ascii: "[") }
                .prefix { !Self.isQuote($0) && !$0.isBlank && $0 != UInt8(ascii: "]") }
            let range = name.startIndex..<name.endIndex
            columns.append(isCandidate(text[rebasing: range], in: .text) ? range : nil)
        }
        guard columns.contains(where: { $0 != nil }) else { return offset + 1 }
        if text[start].lowercase == UInt8(ascii: "s") { start += 1 }
        repeat {
            start = JSONTextBounds.skipBlanks(in: text, from: start)
            guard start < text.count, text[start] == UInt8(ascii: "(") else { break }
            start = JSONTextBounds.skipBlanks(
                in: text, from: passValues(in: text, at: start, { $0 < columns.count ? columns[$0] : nil }, &state))
            state.listEnd = start
            start += 1
        } while start < text.count && text[start - 1] == UInt8(ascii: ",")
        return offset + 1
    }

    /// Returns the range of the name before the keyword `IN` and an offset, or nil without the keyword.
    private static func nameBeforeIn(in text: UnsafeRawBufferPointer, before offset: Int) -> Range<Int>? {
        var end = offset
        while end > 0, text[end - 1].isBlank { end -= 1 }
        // Most parentheses follow other names, so their ranges are not needed.
        guard end > 2, text[end - 1].lowercase == UInt8(ascii: "n"), text[end - 2].lowercase == UInt8(ascii: "i"),
            let keyword = name(in: text, before: offset), keyword.count == 2
        else { return nil }
        return name(in: text, before: keyword.lowerBound)
    }

    /// Returns the end offset of a list of names, or nil if another character precedes the closing parenthesis.
    private static func columnsEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let characters = listCharacters
        let limit = min(text.count, start + longestHeader)
        var end = start
        while end < limit, characters.contains(text[end]) { end += 1 }
        return end < limit && end > start && text[end] == UInt8(ascii: ")") ? end : nil
    }

    private static let listCharacters = ByteSet.alphanumerics.union("_-$., \t\r\n`\"'[]").withOthers

    /// Processes the values in parentheses, which may contain calls such as `MD5('x')`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - open: The offset of the opening parenthesis.
    ///   - isLookup: Whether names of secrets are not values; `false` by default.
    ///   - name: A closure that returns the name of the value with an index, or nil if the value is not a secret.
    ///   - state: The state of the search.
    /// - Returns: The offset after the closing parenthesis.
    mutating func passValues(
        in text: UnsafeRawBufferPointer, at open: Int, isLookup: Bool = false, _ name: (Int) -> Range<Int>?,
        _ state: inout TextScan
    ) -> Int {
        var offset = open + 1
        var (index, depth, start) = (0, 0, offset)
        while offset < text.count {
            let byte = text[offset]
            if Self.isQuote(byte) {
                let end = JSONTextBounds.literalEnd(in: text, from: offset).end
                let isName = isLookup && isCandidate(text[from: offset + 1, to: max(offset + 1, end - 1)], in: .text)
                if let name = name(index), !isName { _ = passQuoted(in: text, named: name, at: offset, &state) }
                offset = end
                continue
            }
            if depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")") {
                let number = text[start..<offset].withoutBlanks
                if let name = name(index), number.first?.isDigit == true, number.allSatisfy(\.isPartOfWord),
                    let edit = edit(
                        number.startIndex..<number.endIndex, named: String(decoding: text[name], as: UTF8.self),
                        in: .number, Array(number))
                {
                    let quote = [UInt8(ascii: "'")]
                    state.edits.append(TextEdit(range: edit.range, replacement: quote + edit.replacement + quote))
                }
                (index, start) = (index + 1, offset + 1)
            }
            offset += 1
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth < 0 { break }
        }
        return min(offset, text.count)
    }
}

/// The fields of comma-separated or tab-separated values.
private struct TableFields {
    /// A field.
    struct Field {
        /// The range of the value, without blanks and quotation marks.
        var range: Range<Int>

        /// Whether the value is in quotation marks, which are doubled in it.
        var isQuoted: Bool

        /// Whether the field is the last one in its row.
        var endsRow: Bool
    }

    /// The character between two fields.
    let delimiter: UInt8

    /// The offset of the next field.
    private(set) var offset: Int

    /// The number of columns in a header.
    private(set) var columnCount = 1

    private let text: UnsafeRawBufferPointer

    /// Whether a quotation mark can begin a field, which is false after one that is never closed.
    private var hasQuotes = true

    init(in text: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8) {
        (self.text, offset, self.delimiter) = (text, start, delimiter)
    }

    /// Creates the fields of a header, which uses the most frequent delimiter.
    init(in header: UnsafeRawBufferPointer, from start: Int) {
        let counts = Array(",;\t|".utf8).map { delimiter in (header.count { $0 == delimiter }, delimiter) }
        let most = counts.max { $0.0 < $1.0 } ?? (0, UInt8(ascii: ","))
        self.init(in: header, from: start, delimiter: most.1)
        columnCount = most.0 + 1
    }

    /// Returns the next field, or nil at the end of the text.
    mutating func next() -> Field? {
        guard offset < text.count else { return nil }
        var start = offset
        while start < text.count, text[start] == 0x20 { start += 1 }
        var quoted: Range<Int>?
        if hasQuotes, start < text.count, text[start] == UInt8(ascii: "\"") {
            let end = JSONTextBounds.literalEnd(in: text, from: start, hasEscapes: false).end
            hasQuotes = end > start + 1 && text[end - 1] == UInt8(ascii: "\"")
            if hasQuotes { quoted = start + 1..<end - 1 }
        }
        var end = quoted?.upperBound ?? start
        while end < text.count, text[end] != delimiter, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
        let value = text[start..<max(start, end)].withoutBlanks
        let endsRow = end == text.count || text[end] != delimiter
        offset = end + 1
        if endsRow { while offset < text.count, text[offset] == 0x0A || text[offset] == 0x0D { offset += 1 } }
        return Field(range: quoted ?? value.startIndex..<value.endIndex, isQuoted: quoted != nil, endsRow: endsRow)
    }
}
