import Foundation

extension HARArchive {
    /// Reads one entry, without the body of its response if the body is large.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The entry, and the body of its response for reading it in parts. If the body is nil, it is small, not
    ///   in the archive, or must be converted as a whole; the entry is then complete. Otherwise, the recorded text of
    ///   the bodies in the entry is arbitrary.
    /// - Throws: The errors of ``entry(at:)``.
    /// - Complexity: O(*n*) in the size of the entry.
    package func entryWithStoredBody(at index: Int) throws(HARError) -> (entry: HAR.Entry, body: StoredBody?) {
        // If anything is unusual, the entry is read as a whole, which also reports errors.
        if let large = try? largeEntry(at: index) { return large }
        return (try entry(at: index), nil)
    }

    /// Reads one entry, without the body of its response if the body is large.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The entry. If the body of its response is large, its recorded text is arbitrary.
    /// - Throws: The errors of ``entry(at:)``.
    /// - Complexity: O(*n*) in the size of the entry, but a large body is neither copied nor decoded.
    package func entryWithoutBody(at index: Int) throws(HARError) -> HAR.Entry {
        if let short = try? shortenedEntry(at: index), !short.hasRequest { return short.entry }
        return try entry(at: index)
    }

    /// Reads one entry without its large bodies.
    ///
    /// - Returns: The entry, the range of its response's body, and whether the request has a large body, too; nil if
    ///   the response has no large body, or the entry is unusual.
    private func shortenedEntry(
        at index: Int
    ) throws(HARError) -> (entry: HAR.Entry, body: Range<Int>, hasRequest: Bool)? {
        let range = byteRange(at: index)
        guard range.count >= StoredBody.minimumSize, let short = try ShortenedJSON(of: file, in: range) else {
            return nil
        }
        let entry = try entry(at: index, parsing: short.text)
        guard let text = entry.response.content.text, let place = short.strings[text] else { return nil }
        let hasRequest = entry.request.postData?.text.flatMap { short.strings[$0] } != nil
        // Any other long string, or a second body, is unusual.
        guard short.strings.count == (hasRequest ? 2 : 1) else { return nil }
        return (entry, place, hasRequest)
    }

    private func largeEntry(at index: Int) throws(HARError) -> (entry: HAR.Entry, body: StoredBody?)? {
        guard let (entry, place, _) = try shortenedEntry(at: index) else { return nil }
        let response = entry.response
        let isBase64 = response.content.encoding?.lowercased() == "base64"
        let start = try StoredBody(file, place, isBase64 ? .base64 : .text, count: .max).start()
        if response.mayNeedInterpretation(start, textCount: isBase64 ? nil : place.count) { return nil }
        let (body, check) = try StoredBody.decoding(file, place, isBase64: isBase64)
        guard isBase64 || !check.isValid || response.isUTF8(check) else { return nil }
        return (entry, body)
    }
}

/// JSON text in which each long string is replaced with a short one.
private struct ShortenedJSON {
    /// The text, with unique strings in place of the long ones.
    private(set) var text: [UInt8] = []

    /// The offsets of the long strings between their quotation marks, by the strings that replace them.
    private(set) var strings: [String: Range<Int>] = [:]

    /// The minimum size of a long string, in bytes.
    private static let longString = 1 << 16

    /// The maximum size of the shortened text, in bytes.
    private static let limit = 1 << 22

    private let name = UUID().uuidString

    /// The offset in `text` after the opening quotation mark of the current string, or nil outside of strings.
    private var start: Int?

    /// The offset in the file after the opening quotation mark of the current string.
    private var fileStart = 0

    private var isLong = false
    private var isEscaped = false

    /// Reads text from a file, or returns nil if the shortened text is too long.
    init?(of file: InputFile, in range: Range<Int>) throws(HARError) {
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(try file.fill(&bytes, at: offset), range.upperBound - offset)
            guard count > 0 else { return nil }
            bytes.withUnsafeBytes { append($0[from: 0, to: count], at: offset) }
            guard text.count <= Self.limit else { return nil }
            offset += count
        }
    }

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - place: The offset of the chunk in the file.
    private mutating func append(_ chunk: UnsafeRawBufferPointer, at place: Int) {
        var offset = 0
        // Both are searched for only after they were passed, so that each byte is compared at most twice.
        var quote = -1
        var backslash = -1
        while offset < chunk.count {
            if isEscaped {
                isEscaped = false
            } else {
                if quote < offset { quote = Self.next(UInt8(ascii: "\""), in: chunk, from: offset) }
                if backslash < offset { backslash = Self.next(UInt8(ascii: "\\"), in: chunk, from: offset) }
                let end = min(quote, start == nil ? chunk.count : backslash)
                copy(chunk[from: offset, to: end])
                offset = end
                guard offset < chunk.count else { return }
                if offset == quote { passQuote(at: place + offset) } else { isEscaped = true }
            }
            copy(chunk[from: offset, to: offset + 1])
            offset += 1
        }
    }

    private static func next(_ byte: UInt8, in chunk: UnsafeRawBufferPointer, from offset: Int) -> Int {
        chunk[from: offset].firstOffset(of: byte).map { offset + $0 } ?? chunk.count
    }

    /// Copies text, unless it belongs to a long string.
    private mutating func copy(_ part: UnsafeRawBufferPointer) {
        guard !isLong else { return }
        text.append(contentsOf: part)
        if let start, text.count - start >= Self.longString {
            isLong = true
            text.removeSubrange(start...)
        }
    }

    /// Begins or ends a string whose quotation mark is at an offset of the file, before the mark is copied.
    private mutating func passQuote(at offset: Int) {
        guard start != nil else {
            start = text.count + 1
            fileStart = offset + 1
            return
        }
        start = nil
        guard isLong else { return }
        isLong = false
        let placeholder = "\(name)-\(strings.count)"
        strings[placeholder] = fileStart..<offset
        text += placeholder.utf8
    }
}
