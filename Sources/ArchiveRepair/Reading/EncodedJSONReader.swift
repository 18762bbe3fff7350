import HTTPArchive

/// Decodes JSON that was written as a string, such as `"{\"log\":{}}"`.
///
/// A string that begins with a bracket loses its quotation marks and one level of escape sequences. Outside of strings,
/// which is where text without quotation marks is, escape sequences are decoded, too. All other text is unchanged.
struct EncodedJSONReader {
    /// The maximum number of times that JSON is decoded.
    static let maximumLevel = 4

    private static let chunkSize = 1 << 16

    /// The number of bytes after a quotation mark in which a bracket must follow.
    private static let margin = 1 << 8

    /// The text at the current offset.
    private enum State: Equatable {
        case outside

        /// A string that is copied.
        case string

        /// A string that is decoded, with its quotation mark.
        case encoded(UInt8)
    }

    private let file: InputFile
    private let size: Int
    private var offset = 0
    private var state = State.outside

    /// Decodes the strings of a file that contain JSON.
    ///
    /// - Parameters:
    ///   - file: The file, which must allow access at any offset.
    ///   - size: The size of the file, in bytes.
    /// - Returns: A temporary file with the decoded text, or nil if no string contains JSON.
    /// - Throws: `unreadableFile`; `unwritableFile` if the temporary folder is full.
    static func file(from file: InputFile, size: Int) throws(HARError) -> InputFile? {
        var reader = EncodedJSONReader(file: file, size: size)
        let copy = try InputFile(copyNamed: file.name) { buffer throws(HARError) in try reader.read(into: buffer) }
        // Every quotation mark and escape sequence that is decoded makes the text shorter.
        return copy.size ?? size < size ? copy : nil
    }

    private init(file: InputFile, size: Int) {
        self.file = file
        self.size = size
    }

    /// Decodes the next text, and returns its size, or 0 at the end of the file.
    private mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        var result: [UInt8] = []
        while result.isEmpty, offset < size {
            let count = min(Self.chunkSize, buffer.count)
            let bytes = try file.bytes(in: offset..<min(size, offset + count + Self.margin))
            guard !bytes.isEmpty else { break }
            let end = offset + bytes.count < size ? min(count, bytes.count) : bytes.count
            var index = 0
            while index < min(end, count) { index = append(bytes, at: index, to: &result) }
            offset += index
        }
        buffer.copyBytes(from: result)
        return result.count
    }

    /// Appends the text at an index, and returns the index after it.
    private mutating func append(_ bytes: [UInt8], at index: Int, to result: inout [UInt8]) -> Int {
        let byte = bytes[index]
        switch state {
        case .string:
            result.append(byte)
            if byte == UInt8(ascii: "\"") { state = .outside }
            guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count else { return index + 1 }
            result.append(bytes[index + 1])
            return index + 2
        case .encoded(byte):
            state = .outside
            return index + 1
        case .outside where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            if Self.beginsJSON(bytes[(index + 1)...]) {
                state = .encoded(byte)
                return index + 1
            }
            if byte == UInt8(ascii: "\"") { state = .string }
        default: break
        }
        guard byte == UInt8(ascii: "\\"), let (decoded, next) = Self.escape(bytes, at: index + 1) else {
            result.append(byte)
            return index + 1
        }
        result.append(decoded)
        return next
    }

    /// Returns whether the text of a string begins with a bracket, or with another string that is encoded.
    private static func beginsJSON(_ text: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(text.prefix(margin - 8))
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            let isEscaped = byte == UInt8(ascii: "\\")
            index += 1
            if isEscaped {
                guard let (decoded, next) = escape(bytes, at: index) else { return false }
                (byte, index) = (decoded, next)
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return true }
            if isEscaped, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
            guard JSONText.isWhitespace(byte) else { return false }
        }
        return false
    }

    /// Returns the ASCII character of an escape sequence, and the index after it, or nil for any other text.
    ///
    /// Inside of JSON, the escape sequence of any other character has the same meaning as the character.
    private static func escape(_ bytes: [UInt8], at index: Int) -> (UInt8, Int)? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "n"): return (0x0A, index + 1)
        case UInt8(ascii: "r"): return (0x0D, index + 1)
        case UInt8(ascii: "t"): return (0x09, index + 1)
        case UInt8(ascii: "u"):
            guard index + 4 < bytes.count,
                let value = UInt8(String(decoding: bytes[index + 1...index + 4], as: UTF8.self), radix: 16),
                value < 0x80
            else { return nil }
            return (value, index + 5)
        case let byte where "\"\\/'".utf8.contains(byte): return (byte, index + 1)
        default: return nil
        }
    }
}
