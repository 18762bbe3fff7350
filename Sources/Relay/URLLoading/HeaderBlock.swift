import Foundation

/// The lines before a body, as they came over the wire.
struct HeaderBlock: Sendable {
    /// The request line or the status line; empty when there is none.
    private(set) var firstLine = ""

    /// The fields in their order; a value on several lines is put on one, with a space in place of each line break.
    private(set) var fields: [HeaderField] = []

    /// The number of bytes, line breaks and the empty line at the end included.
    let size: Int

    /// Reads a block.
    ///
    /// - Parameter bytes: Its lines, which end with a line feed that a carriage return may stand before.
    init(_ bytes: [UInt8]) {
        size = bytes.count
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            if index == 0 {
                firstLine = Self.text(line)
            } else if line.first == 0x20 || line.first == 0x09 {
                fold(line)
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append(
                    HeaderField(name: Self.text(line[..<colon]), value: Self.text(Self.trimmed(line[(colon + 1)...]))))
            }
        }
    }

    /// What stands in the first line before the first space, between it and the second, and after that.
    var words: [String] {
        firstLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    }

    /// A line that goes on with the value of the one before (RFC 9112, section 5.2,
    /// https://www.rfc-editor.org/rfc/rfc9112#section-5.2).
    private mutating func fold(_ line: ArraySlice<UInt8>) {
        guard let last = fields.indices.last else { return }
        let rest = Self.text(Self.trimmed(line))
        if !rest.isEmpty { fields[last].value += (fields[last].value.isEmpty ? "" : " ") + rest }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    /// UTF-8 where the bytes are that, and ISO 8859-1 otherwise, which fields were in of old
    /// (RFC 9110, section 5.5, https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
