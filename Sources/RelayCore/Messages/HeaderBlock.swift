/// The header section of a message as it was sent.
package struct HeaderBlock: Sendable {
    /// The request line or status line, or empty if it is missing.
    package private(set) var firstLine = ""

    /// The fields in their original order, with folded values joined by spaces.
    package private(set) var fields: [HeaderField] = []

    /// The size in bytes, including line breaks and the final empty line.
    package let size: Int

    /// Whether the section is valid UTF-8, as ASCII is.
    package let isUTF8: Bool

    /// Parses a header section.
    ///
    /// - Parameter bytes: The lines, each terminated by LF or CRLF.
    package init(_ bytes: [UInt8]) {
        size = bytes.count
        isUTF8 = bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            if index == 0 {
                firstLine = text(line)
            } else if line.first == 0x20 || line.first == 0x09 {
                fold(line)
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append(
                    HeaderField(name: text(line[..<colon]), value: text(Self.trimmed(line[(colon + 1)...]))))
            }
        }
    }

    /// The words of the first line, split at the first two spaces.
    package var words: [String] {
        firstLine.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    /// Appends a folded line to the value of the last field (RFC 9112, section 5.2,
    /// https://www.rfc-editor.org/rfc/rfc9112#section-5.2).
    private mutating func fold(_ line: ArraySlice<UInt8>) {
        guard let last = fields.indices.last else { return }
        let rest = text(Self.trimmed(line))
        if !rest.isEmpty { fields[last].value += (fields[last].value.isEmpty ? "" : " ") + rest }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    /// Decodes UTF-8, or ISO 8859-1, which older servers send, if the bytes are not valid UTF-8 (RFC 9110, section 5.5,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
