import HTTPArchive

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
        isUTF8 = bytes.withUnsafeBytes(\.isUTF8)
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            var isFirst = true
            while !rest.isEmpty {
                let end = rest.firstOffset(of: 0x0A) ?? rest.count
                let line = rest[from: 0, to: end]
                add(line.last == 0x0D ? line[from: 0, to: end - 1] : line, isFirst: isFirst)
                isFirst = false
                rest = rest[from: min(end + 1, rest.count)]
            }
        }
    }

    private mutating func add(_ line: UnsafeRawBufferPointer, isFirst: Bool) {
        if isFirst {
            firstLine = text(line)
        } else if line.first == 0x20 || line.first == 0x09 {
            fold(line)
        } else if let colon = line.firstOffset(of: UInt8(ascii: ":")) {
            let value = Self.trimmed(line[from: colon + 1])
            fields.append(HeaderField(name: text(line[from: 0, to: colon]), value: text(value)))
        }
    }

    /// The words of the first line, split at the first two spaces.
    package var words: [String] {
        firstLine.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    /// Appends a folded line to the value of the last field (RFC 9112, section 5.2,
    /// https://www.rfc-editor.org/rfc/rfc9112#section-5.2).
    private mutating func fold(_ line: UnsafeRawBufferPointer) {
        guard let last = fields.indices.last else { return }
        let rest = text(Self.trimmed(line))
        if !rest.isEmpty { fields[last].value += (fields[last].value.isEmpty ? "" : " ") + rest }
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var (start, end) = (0, bytes.count)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while start < end, isSpace(bytes[end - 1]) { end -= 1 }
        return bytes[from: start, to: end]
    }

    /// Decodes UTF-8, or ISO 8859-1, which older servers send, if the bytes are not valid UTF-8 (RFC 9110, section 5.5,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    private func text(_ bytes: UnsafeRawBufferPointer) -> String {
        if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
