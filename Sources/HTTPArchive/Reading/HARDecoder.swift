import Foundation

/// Decodes the bytes of an archive into events.
///
/// All readers use it.
final class HARDecoder {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let scanner: HARScanner

    /// Whether a log without an array of entries is an error at the end of the input.
    var requiresEntries = true
    private let file: String?

    /// The first bytes, for detecting a byte order mark and recognizing files of other formats.
    private var head: [UInt8] = []
    private var hasStarted = false
    private var longToken = LongToken()

    /// The events that were not returned yet, in reverse order, because removing the last one moves it.
    private var events: [HARScanner.LocatedEvent] = []
    private(set) var failure: HARError?
    private(set) var isFinished = false

    /// The file offset of the last returned event.
    private(set) var eventOffset: Int?

    /// Whether the input begins with a byte order mark.
    private(set) var hasByteOrderMark = false

    /// All fields decoded so far, without the entries.
    var log: HAR.Log {
        var log = HAR.Log(fields: [:])
        log.fields = JSONObject(members: scanner.logMembers)
        log.documentFields = JSONObject(members: scanner.documentMembers)
        return log
    }

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - limits: The limits of the reader.
    ///   - file: The name of the file for error messages.
    ///   - countsLines: Whether to count lines so that errors contain line and column; false if the caller can compute
    ///     them by reading the text again.
    ///   - implementation: The parser to use.
    init(
        limits: JSONScanner.Limits, file: String?, countsLines: Bool = true,
        implementation: JSONParser.Implementation = .standard
    ) {
        scanner = HARScanner(limits: limits, countsLines: countsLines, implementation: implementation)
        self.file = file
    }

    /// Returns the next complete event, or nil if more bytes are needed or the input has ended.
    ///
    /// - Throws: The error in the input, after all events before it have been returned.
    func next() throws(HARError) -> HAREvent? {
        if let (event, offset) = events.popLast() {
            eventOffset = offset
            return event
        }
        guard let failure, isExplicable else { return nil }
        throw explained(failure)
    }

    /// Decodes the next bytes.
    ///
    /// Call this method after ``next()`` returns nil.
    func feed(_ chunk: UnsafeRawBufferPointer) {
        let held = head.count
        if held < InputKind.headSize { head.append(contentsOf: chunk.prefix(InputKind.headSize - held)) }
        if hasStarted {
            parse(chunk)
        } else if head.count >= Self.byteOrderMark.count {
            start()
            parse(chunk[from: head.count - held])
        }
    }

    /// Skips input without decoding it, but counts its bytes and the values of `entries` in it.
    func skip(_ count: Int, entries: Int = 0) {
        scanner.skip(count)
        scanner.skip(entries: entries)
    }

    /// Whether the input so far ends between two values of `entries`, or before the first one.
    var isBetweenEntries: Bool { longToken.held.isEmpty && scanner.isBetweenEntries }

    /// The complete part of the archive so far.
    ///
    /// Call ``parseHeld()`` first, because bytes of a long string that are held back are not included.
    var extent: HARScanner.Extent { scanner.extent }

    /// Marks the end of the input.
    func finish() {
        isFinished = true
        if !hasStarted { start() }
        parseHeld()
        perform { () throws(HARError) in
            try scanner.finish()
            if !scanner.hasLog { throw HARError(.notAnArchive, missingLog) }
            if requiresEntries, let error = scanner.missingEntries { throw error }
        }
    }

    /// Parses the first bytes, without a byte order mark.
    private func start() {
        hasStarted = true
        hasByteOrderMark = head.starts(with: Self.byteOrderMark)
        let markSize = hasByteOrderMark ? Self.byteOrderMark.count : 0
        scanner.skip(markSize)
        head.withUnsafeBytes { parse($0[from: markSize]) }
    }

    private func parse(_ chunk: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        switch longToken.takes(chunk, afterTokenOf: scanner.parser.heldSize) {
        case nil: perform { () throws(HARError) in try scanner.feed(chunk) }
        case false?: break
        case true?: parseHeld()
        }
    }

    /// Parses the bytes of an incomplete long string that were held back.
    func parseHeld() {
        let bytes = longToken.held
        longToken.removeAll()
        perform { () throws(HARError) in try scanner.feed(bytes) }
    }

    private func perform(_ body: () throws(HARError) -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = error
        }
        events.insert(contentsOf: scanner.takeEvents().reversed(), at: 0)
    }

    /// Whether enough bytes have been read to recognize a file of another format.
    private var isExplicable: Bool { isFinished || scanner.hasLog || head.count == InputKind.headSize }

    /// Adds the file name to an error, or replaces the error if the file is in another format.
    private func explained(_ error: HARError) -> HARError {
        var context = error.context
        context.file = file
        if error.code != .limitExceeded, !scanner.hasLog, let explanation = InputKind.explanation(of: head) {
            return HARError(.notAnArchive, explanation, at: .init(file: file), underlying: error)
        }
        return HARError(error.code, error.message, at: context, underlying: error.underlying)
    }

    private var missingLog: String {
        if let kind = scanner.otherLogKind {
            return "Expected an object as the value of `log`, found \(kind.title). Specify a HAR file."
        }
        let names = scanner.documentNames
        if names.isEmpty { return "Expected an object with a `log`, found an empty object. Specify a HAR file." }
        let list = names.map { "`\($0.prefix(40))`" }.joined(separator: ", ")
        return "Expected an object with a `log`, found an object with \(list). Specify a HAR file."
    }
}

/// Collects the chunks of a long token before it is parsed.
///
/// With each chunk, yajl rereads an incomplete token from its start, so a large body in small chunks would take
/// quadratic time. Chunks are therefore held back until they double the size of the token, or until the token seems to
/// end.
struct LongToken {
    /// The size in bytes below which a token is reread with each chunk.
    private static let threshold = 1 << 16

    /// The bytes that are held back.
    private(set) var held: [UInt8] = []

    /// Holds the next chunk back if it is part of a long token.
    ///
    /// - Parameters:
    ///   - part: The chunk.
    ///   - size: The number of bytes that have been parsed since the last complete token.
    /// - Returns: Whether to parse the held bytes now, including this chunk, or nil if the chunk was not held and must
    ///   be parsed directly.
    mutating func takes(_ part: UnsafeRawBufferPointer, afterTokenOf size: Int) -> Bool? {
        guard size >= Self.threshold else { return nil }
        let start = held.count
        held.append(contentsOf: part)
        return held.count >= size || hasQuote(from: start)
    }

    /// Discards the held bytes.
    mutating func removeAll() { held.removeAll() }

    /// Returns whether the held bytes from `start` on may contain an unescaped quotation mark.
    private func hasQuote(from start: Int) -> Bool {
        held.withUnsafeBytes { bytes in
            bytes[start...].indices.contains { index in
                guard bytes[index] == UInt8(ascii: "\"") else { return false }
                let backslashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                // If the backslashes start at the first held byte, other backslashes may precede it.
                return backslashes.isMultiple(of: 2) || backslashes == index
            }
        }
    }
}

/// Recognizes files of other formats by their first bytes.
enum InputKind {
    /// The number of bytes that are examined.
    static let headSize = 512

    /// Returns an explanation for a file in another format, with advice.
    ///
    /// - Parameter head: The first bytes of the file.
    /// - Returns: The explanation, or nil if the file may be a JSON object.
    static func explanation(of head: [UInt8]) -> String? {
        if let signature = signatures.first(where: { head.starts(with: $0.bytes) }) { return signature.explanation }
        if head.dropFirst(tarOffset).starts(with: tarSignature) { return "The file is a tar archive. Unpack it first." }
        if let explanation = wideText(head) { return explanation }
        let text = String(decoding: head, as: UTF8.self).trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let first = text.first else {
            return head.count < headSize ? "The file is empty. Save the archive again." : nil
        }
        if first != "{", isBinary(head) { return binary }
        switch first {
        case "{": return nil
        case "[": return "Expected an object with a `log`, found an array. Specify a HAR file."
        case "<": return html
        default: break
        }
        if let call = text.prefixMatch(of: /([\p{Alphabetic}_$][\w$.]*)\s*\(/) {
            let name = call.1.prefix(40)
            return "The file is JSONP: JSON inside a call to `\(name)`. Remove the call, or use `har repair`."
        }
        return nil
    }

    /// Returns the explanation for text in UTF-16 or UTF-32, or nil for other data.
    ///
    /// Such text begins with a byte order mark, or with ASCII characters, each with zero bytes before or after it.
    private static func wideText(_ head: [UInt8]) -> String? {
        func begins(_ size: Int, _ index: Int, _ mark: [UInt8]) -> Bool {
            head.starts(with: mark)
                || head.count >= size
                    && head.prefix(8).enumerated().allSatisfy { offset, byte in
                        offset % size == index ? 0x09..<0x7F ~= byte : byte == 0
                    }
        }
        if begins(4, 0, [0xFF, 0xFE, 0, 0]) || begins(4, 3, [0, 0, 0xFE, 0xFF]) { return utf32 }
        return begins(2, 0, [0xFF, 0xFE]) || begins(2, 1, [0xFE, 0xFF]) ? utf16 : nil
    }

    /// Whether the bytes are not text: they contain control characters, or are not UTF-8 apart from an incomplete end.
    private static func isBinary(_ head: [UInt8]) -> Bool {
        let end = head.lastIndex { $0 < 0x80 || $0 >= 0xC0 } ?? 0
        return head.contains { $0 < 0x09 || 0x0E...0x1A ~= $0 || 0x1C...0x1F ~= $0 }
            || String(validating: head[..<end], as: UTF8.self) == nil
    }

    private static let binary = """
        Expected JSON, found binary data. If the file is compressed with Brotli, its name must end with `.br`.
        """

    private static let tarOffset = 257
    private static let tarSignature = Array("ustar".utf8)

    private static let html = """
        Expected JSON, found HTML or XML. To save an archive in a browser, export all requests in the network panel as \
        HAR.
        """

    private static let zlib = "The file is compressed with zlib. Decompress it first."

    private static let utf16 = "Expected UTF-8, found UTF-16. Convert the file to UTF-8, or use `har repair`."

    private static let utf32 = "Expected UTF-8, found UTF-32. Convert the file to UTF-8."

    private static let orEnable = "or call CompressedArchives.enable() and open the file with HARReader or HARArchive."

    private static let signatures: [(bytes: [UInt8], explanation: String)] = [
        ([0x1F, 0x8B], "The file is compressed with gzip. Decompress it first."),
        ([0x50, 0x4B, 0x03, 0x04], "The file is a zip archive. Unpack it, \(orEnable)"),
        ([0x28, 0xB5, 0x2F, 0xFD], "The file is compressed with Zstandard. Decompress it, \(orEnable)"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "The file is compressed with xz. Decompress it, \(orEnable)"),
        ([0x42, 0x5A, 0x68], "The file is compressed with bzip2. Decompress it, \(orEnable)"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "The file is a 7z archive. Unpack it first."),
        ([0x78, 0x01], zlib), ([0x78, 0x5E], zlib), ([0x78, 0x9C], zlib), ([0x78, 0xDA], zlib),
        ([0x25, 0x50, 0x44, 0x46], "Expected JSON, found a PDF document. Specify a HAR file."),
    ]
}
