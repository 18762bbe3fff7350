import Foundation

/// Decodes the bytes of an archive into events, for all kinds of readers.
final class HARDecoder {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let scanner: HARScanner
    private var parser: JSONParser
    private let file: String?

    /// The first bytes, for detecting a byte order mark and recognizing files of other formats.
    private var head: [UInt8] = []
    private var hasStarted = false
    private var longToken = LongToken()
    private var isInLog = false

    private var events: ArraySlice<HARScanner.LocatedEvent> = []
    private(set) var failure: HARError?
    private(set) var isFinished = false

    /// The offset in the file of the last returned event.
    private(set) var eventOffset: Int?

    /// Whether the input began with a byte order mark.
    private(set) var hasByteOrderMark = false

    private var logMembers: [JSONObject.Member] = []
    private var documentMembers: [JSONObject.Member] = []

    /// Everything read so far, without the entries.
    var log: HAR.Log {
        var log = HAR.Log(fields: [:])
        log.fields = JSONObject(members: logMembers)
        log.documentFields = JSONObject(members: documentMembers)
        return log
    }

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - limits: The limits of the reader.
    ///   - file: The name of the file for error messages.
    ///   - countsLines: Whether errors contain line and column; false if they can be computed by reading the text
    /// again.
    init(limits: JSONScanner.Limits, file: String?, countsLines: Bool = true) {
        scanner = HARScanner(limits: limits, countsLines: countsLines)
        parser = JSONParser(scanner: scanner)
        self.file = file
    }

    /// Returns the next complete event; nil if more bytes are needed, and at the end.
    ///
    /// - Throws: The error of the input, after all events before it were returned.
    func next() throws(HARError) -> HAREvent? {
        if let (event, offset) = events.popFirst() {
            eventOffset = offset
            return event
        }
        guard let failure, isExplicable else { return nil }
        throw explained(failure)
    }

    /// Decodes the next bytes.
    ///
    /// Call it after ``next()`` returned nil.
    func feed(_ chunk: UnsafeRawBufferPointer) {
        let held = head.count
        if held < InputKind.headSize { head.append(contentsOf: chunk.prefix(InputKind.headSize - held)) }
        if hasStarted {
            parse(chunk)
        } else if head.count >= Self.byteOrderMark.count {
            start(held: held)
            let markInChunk = hasByteOrderMark ? Self.byteOrderMark.count - held : 0
            parse(UnsafeRawBufferPointer(rebasing: chunk.dropFirst(markInChunk)))
        }
    }

    /// Counts bytes of the input that are not decoded, and the values of `entries` in them.
    func skip(_ count: Int, entries: Int = 0) {
        scanner.skip(count)
        scanner.skip(entries: entries)
    }

    /// Whether the input so far ends between two values of `entries`, or before the first one.
    var isBetweenEntries: Bool { longToken.held.isEmpty && scanner.isBetweenEntries }

    /// The complete part of the archive so far.
    ///
    /// After a long string, call ``parseHeld()`` first.
    var extent: HARScanner.Extent { scanner.extent }

    /// Ends the input.
    func finish() {
        isFinished = true
        if !hasStarted { start(held: head.count) }
        parseHeld()
        perform { () throws(HARError) in
            try parser.finish()
            if !scanner.hasLog { throw HARError(.notAnArchive, missingLog) }
        }
    }

    /// Skips a byte order mark, or parses the bytes that were held back to detect one.
    private func start(held: Int) {
        hasStarted = true
        hasByteOrderMark = head.starts(with: Self.byteOrderMark)
        if hasByteOrderMark {
            scanner.skip(Self.byteOrderMark.count)
        } else {
            head.prefix(held).withUnsafeBytes { parse($0) }
        }
    }

    private func parse(_ chunk: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        switch longToken.takes(chunk, afterTokenOf: parser.heldSize) {
        case nil: perform { () throws(HARError) in try parser.feed(chunk) }
        case false?: break
        case true?: parseHeld()
        }
    }

    /// Parses the bytes that were held back in a long string that has not ended.
    func parseHeld() {
        let bytes = longToken.held
        longToken.removeAll()
        perform { () throws(HARError) in try parser.feed(bytes) }
    }

    private func perform(_ body: () throws(HARError) -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = error
        }
        let new = scanner.takeEvents()
        for (event, _) in new { collect(event) }
        events.append(contentsOf: new)
    }

    /// Collects all fields, with empty values for `log` and `entries`.
    private func collect(_ event: HAREvent) {
        switch event {
        case .beginLog:
            isInLog = true
            documentMembers.append(JSONObject.Member(name: "log", value: [:]))
        case .endLog: isInLog = false
        case .beginEntries: logMembers.append(JSONObject.Member(name: "entries", value: []))
        case .field(let member):
            if isInLog { logMembers.append(member) } else { documentMembers.append(member) }
        case .endEntries, .entry, .unexpectedValue: break
        }
    }

    /// Whether enough bytes were read to recognize a file of another format.
    private var isExplicable: Bool { isFinished || scanner.hasLog || head.count == InputKind.headSize }

    /// Adds the name of the file to an error, and replaces the error if the file has another format.
    private func explained(_ error: HARError) -> HARError {
        var context = error.context
        context.file = file
        if error.code != .limitExceeded, !scanner.hasLog, let explanation = InputKind.explanation(of: head) {
            return HARError(.notAnArchive, explanation, at: .init(file: file), underlying: error)
        }
        return HARError(error.code, error.message, at: context, underlying: error.underlying)
    }

    private var missingLog: String {
        if scanner.hasOtherLog { return "The file is not an archive: its `log` is not an object." }
        let names = scanner.documentNames
        let list = names.isEmpty ? "none" : names.map { "`\($0.prefix(40))`" }.joined(separator: ", ")
        return "The file is JSON, but not an archive: it has no `log`. Its members: \(list)."
    }
}

/// Collects the chunks of a long token before they are parsed.
///
/// yajl rereads an incomplete token from its start with each chunk, so a large body in small chunks would take
/// quadratic time. The chunks of a token are therefore held until they double its size, or until the token seems to
/// end.
struct LongToken {
    /// The size in bytes below which a token is reread with each chunk.
    private static let threshold = 1 << 16

    /// The held bytes.
    private(set) var held: [UInt8] = []

    /// Holds the next chunk if it is part of a long token.
    ///
    /// - Parameters:
    ///   - part: The chunk.
    ///   - size: The number of bytes that were parsed since the last token.
    /// - Returns: Whether to parse ``held``, which includes the chunk, now; nil if nothing is held, and the chunk must
    ///   be parsed directly.
    mutating func takes(_ part: UnsafeRawBufferPointer, afterTokenOf size: Int) -> Bool? {
        guard size >= Self.threshold else { return nil }
        let start = held.count
        held.append(contentsOf: part)
        return held.count >= size || hasQuote(from: start)
    }

    /// Discards the held bytes.
    mutating func removeAll() { held.removeAll() }

    /// Whether there is an unescaped quotation mark after `start`.
    private func hasQuote(from start: Int) -> Bool {
        held.withUnsafeBytes { bytes in
            bytes[start...].indices.contains { index in
                guard bytes[index] == UInt8(ascii: "\"") else { return false }
                let backslashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                // A run of backslashes that reaches the first byte may begin before it.
                return backslashes.isMultiple(of: 2) || backslashes == index
            }
        }
    }
}

/// Recognizes files of other formats by their first bytes.
enum InputKind {
    /// The number of bytes that are examined.
    static let headSize = 512

    /// Returns the format of a file, with advice.
    ///
    /// - Parameter head: The first bytes of the file.
    /// - Returns: Nil if the file may be JSON.
    static func explanation(of head: [UInt8]) -> String? {
        if let signature = signatures.first(where: { head.starts(with: $0.bytes) }) { return signature.explanation }
        if head.prefix(4).contains(0) { return utf16 }
        let text = String(decoding: head, as: UTF8.self).trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let first = text.first else { return head.count < headSize ? "The file is empty." : nil }
        switch first {
        case "{": return nil
        case "[": return "The file is a JSON array; an archive is an object with a `log`."
        case "<": return "The file seems to be HTML or XML, perhaps a page that was saved instead of the archive."
        default: break
        }
        if let call = text.prefixMatch(of: /([\p{Alphabetic}_$][\w$.]*)\s*\(/) {
            let name = call.1.prefix(40)
            return "The file is JSONP, JSON inside a call of `\(name)`; remove the call to get the archive."
        }
        return nil
    }

    private static let utf16 = "The file is UTF-16 or UTF-32; convert it to UTF-8, the encoding of JSON."

    private static let signatures: [(bytes: [UInt8], explanation: String)] = [
        ([0x1F, 0x8B], "The file is compressed with gzip; decompress it first."),
        ([0x50, 0x4B, 0x03, 0x04], "The file is a zip archive; unpack it, and open the .har file inside."),
        ([0x28, 0xB5, 0x2F, 0xFD], "The file is compressed with Zstandard; decompress it first."),
        ([0x42, 0x5A, 0x68], "The file is compressed with bzip2; decompress it first."),
        ([0x25, 0x50, 0x44, 0x46], "The file is a PDF document."),
        ([0xFF, 0xFE], utf16),
        ([0xFE, 0xFF], utf16),
    ]
}
