/// A body that is read in parts from the file that contains it, so that it is never in memory as a whole.
///
/// The file can be a body file, or the archive itself.
package final class StoredBody: Sendable {
    /// The form in which the body is stored.
    enum Form {
        /// The bytes themselves.
        case bytes

        /// The text of a JSON string, which is sent in UTF-8.
        case text

        /// The text of a JSON string in Base64.
        case base64
    }

    /// The minimum size of a body file or an entry whose body is read in parts, in bytes.
    package static let minimumSize = 1 << 20

    /// The number of bytes in the file that are read at once.
    fileprivate static let chunkSize = 1 << 16

    fileprivate let file: InputFile
    fileprivate let range: Range<Int>
    fileprivate let form: Form

    /// The size of the decoded body, in bytes.
    package let count: Int

    /// Whether the body is part of an archive, so that it needs no separate open file.
    package var isInArchive: Bool { form != .bytes }

    /// Creates a body in a range of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: The range of offsets.
    ///   - form: The form in which the body is stored; the bytes themselves by default.
    ///   - count: The size of the decoded body; the size of the range by default.
    init(_ file: InputFile, _ range: Range<Int>, _ form: Form = .bytes, count: Int? = nil) {
        self.file = file
        self.range = range
        self.form = form
        self.count = count ?? range.count
    }

    /// Creates a body from the text of a JSON string, which is decoded once to check it and to find its size.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - range: The offsets of the text between the quotation marks.
    ///   - isBase64: Whether the text is in Base64.
    /// - Returns: The body, and the properties of its text.
    /// - Throws: `malformedJSON` if the text is not valid; `unreadableFile`.
    static func decoding(
        _ file: InputFile, _ range: Range<Int>, isBase64: Bool
    ) throws(HARError) -> (body: StoredBody, text: UTF8Check) {
        let form: Form = isBase64 ? .base64 : .text
        let check = try StoredBody(file, range, form, count: .max).check()
        return (StoredBody(file, range, form, count: check.count), check)
    }

    /// Returns the first bytes, at most 64.
    func start() throws(HARError) -> [UInt8] {
        var reader = StoredBodyReader(self)
        return Array(try reader.next(upTo: 64))
    }

    /// Reads the body once, and returns the properties of its text.
    func check() throws(HARError) -> UTF8Check {
        var check = UTF8Check()
        var reader = StoredBodyReader(self)
        while let bytes = try reader.nextChunk() { check.update(bytes) }
        check.finish()
        return check
    }
}

extension StoredBody: Hashable {
    package static func == (first: StoredBody, second: StoredBody) -> Bool { first === second }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A reader that returns a stored body from the beginning to the end.
///
/// Memory use is constant.
package struct StoredBodyReader: Sendable {
    private let body: StoredBody
    private var offset: Int
    private var decoder: JSONTextDecoder?
    private var ready: ArraySlice<UInt8> = []
    private var remaining: Int

    /// Begins to read a body.
    ///
    /// - Parameter body: The body.
    package init(_ body: StoredBody) {
        self.body = body
        offset = body.range.lowerBound
        remaining = body.count
        decoder = body.form == .bytes ? nil : JSONTextDecoder(isBase64: body.form == .base64)
    }

    /// Returns the next bytes.
    ///
    /// - Parameter size: The maximum number of bytes.
    /// - Returns: The bytes; empty only at the end of the body.
    /// - Throws: `unreadableFile` if the file cannot be read, or was changed after it was opened.
    package mutating func next(upTo size: Int) throws(HARError) -> ArraySlice<UInt8> {
        guard remaining > 0 else { return [] }
        while ready.isEmpty {
            guard let chunk = try nextChunk() else { throw changed }
            ready = chunk[...]
        }
        let part = ready.prefix(min(size, remaining))
        ready = ready.dropFirst(part.count)
        remaining -= part.count
        return part
    }

    /// Decodes the next chunk of the file, or returns nil at its end.
    fileprivate mutating func nextChunk() throws(HARError) -> [UInt8]? {
        guard offset < body.range.upperBound else { return nil }
        let end = min(offset + StoredBody.chunkSize, body.range.upperBound)
        let chunk = try body.file.bytes(in: offset..<end)
        offset = end
        guard decoder != nil else { return chunk }
        guard let decoded = decoder?.decode(chunk, isLast: end == body.range.upperBound) else { throw changed }
        return decoded
    }

    private var changed: HARError {
        HARError(
            .unreadableFile, "The body is not valid, or the file was changed after it was opened. Open it again.",
            at: .init(file: body.file.name, byteOffset: body.range.lowerBound))
    }
}

/// The properties of text that is received in chunks.
struct UTF8Check {
    /// The number of bytes.
    private(set) var count = 0

    /// Whether all bytes are ASCII.
    private(set) var isASCII = true

    /// Whether the bytes are valid UTF-8.
    private(set) var isValid = true

    /// The beginning of a character whose end is in the next chunk.
    private var incomplete: [UInt8] = []

    /// Appends a chunk.
    mutating func update(_ chunk: [UInt8]) {
        count += chunk.count
        guard isValid, !incomplete.isEmpty || !chunk.withUnsafeBytes({ $0.isASCII }) else { return }
        isASCII = false
        let bytes = incomplete + chunk
        let complete = bytes.withoutIncompleteCharacter
        incomplete = Array(bytes[complete.endIndex...])
        isValid = String(validating: complete, as: UTF8.self) != nil
    }

    /// Ends the text.
    mutating func finish() { if !incomplete.isEmpty { isValid = false } }
}

extension RandomAccessCollection<UInt8> {
    /// The bytes of a text in UTF-8 without the beginning of a character whose end is missing.
    package var withoutIncompleteCharacter: SubSequence {
        // A character has at most four bytes. Only the first is not a continuation byte, and determines their number.
        guard let start = indices.suffix(3).last(where: { self[$0] & 0xC0 != 0x80 }),
            distance(from: start, to: endIndex) < (~self[start]).leadingZeroBitCount
        else { return self[...] }
        return self[..<start]
    }
}
