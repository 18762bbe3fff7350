import CJSONScan

/// A reader of a JSON document that passes it to a parser chunk by chunk, and captures values as sources.
///
/// The base class captures the whole document as one value. A subclass can enter containers that are too large for
/// memory and receive their values one by one. Memory use then depends on the largest captured value.
package class JSONScanner {
    // Dynamic exclusivity checks are disabled, because they take a tenth of the reading time. This is safe because only
    // `feed` and the methods that it calls access the state, on one thread and without overlapping accesses.

    /// The maximum size of a number in bytes.
    ///
    /// yajl buffers an incomplete number and reads it again with each part.
    package static let maximumNumberSize = 1 << 20

    /// The last captured source: the whole document unless a subclass enters it.
    @exclusivity(unchecked) private(set) var value: JSONSource?

    /// The error that made the scanner stop the parser, or nil.
    @exclusivity(unchecked) private(set) var failure: HARError?

    final let parser: JSONParser

    /// The offset of the current chunk in the document.
    @exclusivity(unchecked) private(set) var chunkStart = 0

    final let limits: Limits
    @exclusivity(unchecked) private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)

    /// The bytes before the chunk that are still needed because they belong to the current value or token.
    @exclusivity(unchecked) private var retained: [UInt8] = []
    /// The offset in the document after the last token.
    @exclusivity(unchecked) private(set) final var lastEnd = 0
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) private var captureStart: Int?
    /// The tokens of the value that is being captured.
    @exclusivity(unchecked) private var tokens = TokenBuffer()

    /// The last accepted token outside captured containers.
    @exclusivity(unchecked) private var enteredToken = JSONSyntaxError.AcceptedToken.none

    /// The offset after a comma or colon that is no longer in memory.
    ///
    /// It is valid until the next token.
    @exclusivity(unchecked) private var separatorEnd = -1

    /// The position up to which lines are counted, or nil if the caller computes lines from offsets.
    @exclusivity(unchecked) private var position: TextPosition?

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - limits: The limits of captured values.
    ///   - countsLines: Whether to count lines while parsing, so that errors contain the line and column even if the
    ///     caller discards the text; false by default.
    ///   - implementation: The parser to use.
    init(limits: Limits, countsLines: Bool = false, implementation: JSONParser.Implementation = .standard) {
        self.limits = limits
        position = countsLines ? TextPosition() : nil
        parser = JSONParser(implementation)
    }

    /// Whether a container is being captured.
    final var isCapturing: Bool { captureStart != nil }

    // MARK: Subclass hooks

    /// Returns whether to enter a container instead of capturing it.
    ///
    /// This method is called only while no value is being captured.
    func enters(_ kind: JSONToken.Kind) -> Bool { false }

    /// Handles the end of an entered container.
    func leave() {}

    /// Handles a key of an entered object.
    func name(_ name: JSONString) {}

    /// Handles a captured value.
    func capture(_ source: JSONSource) { value = source }

    /// The kind of the innermost entered container, or nil outside the document's value.
    var enteredContainer: JSONToken.Kind? { nil }

    /// Returns the part of the document that contains a syntax error, for use in messages, such as `in entry 7`.
    func part(of mistake: JSONSyntaxError) -> (title: String?, pointer: JSONPointer?) { (nil, nil) }

    /// Returns whether an error message may contain the name of a member.
    func isPrintable(_ name: String) -> Bool { false }

    /// Stops the parser with an error, unless an earlier error has already stopped it.
    func stop(_ error: HARError) { failure = failure ?? error }

    // MARK: Chunks

    /// Advances the offsets past bytes that are not passed to the parser, such as a leading byte order mark.
    final func skip(_ count: Int) {
        chunkStart += count
        lastEnd += count
        position?.skip(count)
    }

    /// Sets the bytes that the parser is about to read, which must stay valid until ``endChunk()``.
    final func beginChunk(_ bytes: UnsafeRawBufferPointer) {
        chunk = bytes
    }

    /// The size of the incomplete token at the end of the last chunk, in bytes.
    ///
    /// It is valid only between chunks.
    final var pendingSize: Int { chunkStart - lastEnd }

    /// Copies the bytes of the chunk that are still needed and releases the chunk.
    final func endChunk() {
        if lastEnd >= chunkStart {
            let start = lastEnd
            lastEnd = chunkStart + JSONText.skipGap(in: chunk, from: start - chunkStart)
            let gap = chunk[from: start - chunkStart, to: lastEnd - chunkStart]
            if start == separatorEnd || !gap.allSatisfy(JSONText.isWhitespace) { separatorEnd = lastEnd }
        }
        let needed = captureStart ?? lastEnd
        advancePosition(to: needed)
        retained = takeBytes(in: needed..<chunkStart + chunk.count)
        chunkStart += chunk.count
        chunk = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Stops the parser if the current value or token exceeds its size limit.
    ///
    /// - Parameter end: The offset in the document up to which the text was parsed.
    final func checkSize(upTo end: Int) {
        if end - lastEnd > Self.maximumNumberSize, isNumber(after: lastEnd) {
            stop(
                HARError(
                    .limitExceeded,
                    "A number is longer than \(Self.maximumNumberSize) bytes, which is not supported. Use a string.",
                    at: .init(byteOffset: lastEnd)))
        }
        var start = captureStart ?? lastEnd
        guard Limits.size(of: end - start, tokens: tokens.count) > limits.valueSize else { return }
        // Whitespace between values does not count.
        if captureStart == nil, start >= chunkStart {
            start = chunkStart + JSONText.skipGap(in: chunk, from: start - chunkStart)
        }
        if Limits.size(of: end - start, tokens: tokens.count) > limits.valueSize { stop(tooLarge(at: start)) }
    }

    /// Removes and returns the bytes of a complete token or value.
    private func takeComplete(_ range: Range<Int>) -> [UInt8] {
        if range.lowerBound < chunkStart { advancePosition(to: chunkStart) }
        return takeBytes(in: range)
    }

    /// Returns the bytes of a range of the document that is still in memory.
    ///
    /// This method can move the retained bytes out of the scanner, so the bytes can be taken only once.
    private func takeBytes(in range: Range<Int>) -> [UInt8] {
        let retainedStart = chunkStart - retained.count
        if range.lowerBound >= chunkStart {
            return [UInt8](chunk[range.lowerBound - chunkStart..<range.upperBound - chunkStart])
        }
        if range.lowerBound == retainedStart, range.upperBound >= chunkStart {
            // The usual case is a value that spans chunks. Append to the retained bytes instead of copying them.
            var bytes: [UInt8] = []
            swap(&bytes, &retained)
            let rest = chunk.prefix(range.upperBound - chunkStart)
            grow(&bytes, by: rest.count)
            bytes.append(contentsOf: rest)
            return bytes
        }
        let first = retained[(range.lowerBound - retainedStart)...].prefix(range.count)
        return [UInt8](first) + chunk.prefix(max(0, range.upperBound - chunkStart))
    }

    /// Reserves capacity for more bytes of a value, without doubling it far beyond the size limit.
    private func grow(_ bytes: inout [UInt8], by added: Int) {
        let needed = bytes.count + added
        guard needed > bytes.capacity else { return }
        let doubled = 2 * bytes.count
        let largest = limits.valueSize + chunk.count
        bytes.reserveCapacity(max(needed, doubled > largest / 5 * 2 ? largest : doubled))
    }

    /// Whether an incomplete token, after the gap before it, is a number that is too long.
    static func isLongNumber(_ pending: UnsafeRawBufferPointer) -> Bool {
        guard pending.count > maximumNumberSize else { return false }
        return pending.first { !JSONText.isGap($0) }.map(mayBeginNumber) ?? false
    }

    private static func mayBeginNumber(_ byte: UInt8) -> Bool { byte.isDigit || byte == UInt8(ascii: "-") }

    /// Returns whether the next token after an offset is a number.
    private func isNumber(after end: Int) -> Bool {
        let isInChunk = end >= chunkStart
        let start = isInChunk ? chunkStart + JSONText.skipGap(in: chunk, from: end - chunkStart) : end
        return byte(at: start).map(Self.mayBeginNumber) ?? false
    }

    // MARK: Tokens

    /// Handles the tokens that the parser found in the last part.
    ///
    /// - Parameter start: The offset of the part in the document.
    final func takeTokens(of start: Int) {
        let found = parser.tokens
        var index = 0
        while index < found.count, failure == nil {
            if let captureStart {
                continueCapture(of: captureStart, with: found, from: &index, at: start)
            } else {
                take(JSONToken.Kind(found[index]), endingAt: start + Int(found[index].end))
                index += 1
            }
        }
    }

    /// Handles a token outside captured containers.
    private func take(_ kind: JSONToken.Kind, endingAt end: Int) {
        switch kind {
        case .object, .array:
            guard open(endingAt: end) else { return }
            lastEnd = end
            enteredToken = .opening
            guard !enters(kind) else { return }
            captureStart = end - 1
            tokens.begin(kind)
        case .close:
            depth -= 1
            lastEnd = end
            enteredToken = .value
            leave()
        case .key:
            let quoted = takeComplete(lastEnd..<end).drop(while: JSONText.isGap)
            enteredToken = .name
            name(quoted.dropFirst().dropLast().withUnsafeBytes { JSONString(source: $0) })
            lastEnd = end
        default:
            // Take the gap before the scalar too, because its length is unknown and the bytes can be taken only once.
            let bytes = takeComplete(lastEnd..<end)
            let gap = bytes.prefix(while: JSONText.isGap).count
            tokens.append(JSONToken(kind: kind, end: UInt32(truncatingIfNeeded: bytes.count - gap)))
            enteredToken = .value
            finishCapture(gap == 0 ? bytes : [UInt8](bytes.dropFirst(gap)), endingAt: end)
        }
    }

    /// Adds tokens to a captured container until it ends.
    ///
    /// - Parameters:
    ///   - captureStart: The offset of the container in the document.
    ///   - found: The tokens of a part.
    ///   - index: The index of the next token.
    ///   - start: The offset of the part in the document.
    private func continueCapture(
        of captureStart: Int, with found: UnsafeBufferPointer<json_token>, from index: inout Int, at start: Int
    ) {
        let offset = start - captureStart
        switch tokens.capture(found, from: &index, at: offset, depth: &depth, upTo: limits.depth) {
        case .open: lastEnd = start + Int(found[found.count - 1].end)
        case .tooDeep(let end): stop(limits.tooDeep(at: .init(byteOffset: captureStart + end - 1)))
        case .complete(let end):
            self.captureStart = nil
            enteredToken = .value
            let range = captureStart..<captureStart + end
            finishCapture(JSONText.withoutOtherWhitespace(takeComplete(range)), endingAt: range.upperBound)
        }
    }

    /// Counts an opening bracket, and returns whether it is within the depth limit.
    private func open(endingAt end: Int) -> Bool {
        depth += 1
        guard depth > limits.depth else { return true }
        stop(limits.tooDeep(at: .init(byteOffset: end - 1)))
        return false
    }

    // MARK: Capturing

    private func finishCapture(_ bytes: [UInt8], endingAt end: Int) {
        let start = end - bytes.count
        lastEnd = end
        defer { tokens.removeAll() }
        guard Limits.size(of: bytes.count, tokens: tokens.count) <= limits.valueSize else {
            return stop(tooLarge(at: start))
        }
        capture(JSONSource(bytes: bytes, tokens: tokens.all, offset: start))
    }

    /// Returns the error for a value that exceeds the size limit.
    final func tooLarge(at offset: Int) -> HARError { limits.tooLarge(at: .init(byteOffset: offset)) }

    // MARK: Syntax errors

    /// Returns the error for text that the parser rejected.
    final func mistake() -> HARError {
        let isCapturing = captureStart != nil
        let lastToken: JSONSyntaxError.AcceptedToken =
            switch tokens.last?.kind {
            case .object, .array: .opening
            case .key: .name
            case nil: enteredToken
            default: .value
            }
        let situation = JSONSyntaxError.Situation(
            container: isCapturing ? tokens.container : enteredContainer,
            lastToken: lastToken, hasSeparator: separatorEnd == lastEnd, memberName: memberName)
        return error(for: JSONSyntaxError(from: lastEnd, in: situation, byte))
    }

    /// Returns the error for a syntax error in text that is still in memory.
    final func error(for mistake: JSONSyntaxError) -> HARError {
        let (title, pointer) = part(of: mistake)
        let error = HARError(
            .malformedJSON, "The JSON is invalid\(title.map { " \($0)" } ?? ""): \(mistake.problem).",
            at: .init(pointer: pointer, byteOffset: mistake.offset))
        guard position != nil else { return error }
        advancePosition(to: mistake.offset)
        return position.map(error.located) ?? error
    }

    /// Returns the byte at an offset, or nil outside the text in memory.
    private func byte(at offset: Int) -> UInt8? {
        if offset >= chunkStart { return offset - chunkStart < chunk.count ? chunk[offset - chunkStart] : nil }
        let index = offset - chunkStart + retained.count
        return retained.indices.contains(index) ? retained[index] : nil
    }

    /// The name of the current member in a captured object, if error messages may contain it.
    private var memberName: String? {
        let tokens = tokens.all
        guard let captureStart, var index = tokens.indices.last else { return nil }
        if tokens[index].kind == .close {
            guard
                let opening = tokens.lastIndex(where: {
                    ($0.kind == .object || $0.kind == .array) && $0.next == UInt32(index + 1)
                })
            else { return nil }
            index = opening
        }
        if tokens[index].kind != .key { index -= 1 }
        guard index > 0, tokens[index].kind == .key else { return nil }
        let range = captureStart + Int(tokens[index - 1].end)..<captureStart + Int(tokens[index].end)
        let quoted = range.compactMap(byte).drop(while: JSONText.isGap)
        let name = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        return isPrintable(name) ? name : nil
    }

    /// Counts the lines up to an offset.
    ///
    /// The text since the last counted position must still be in memory.
    private func advancePosition(to offset: Int) {
        guard var position, position.offset < offset else { return }
        let retainedStart = chunkStart - retained.count
        if position.offset < chunkStart {
            retained.withUnsafeBytes { retained in
                position.advance(
                    over: retained[from: position.offset - retainedStart, to: min(offset, chunkStart) - retainedStart])
            }
        }
        if offset > chunkStart {
            position.advance(over: chunk[from: position.offset - chunkStart, to: min(offset - chunkStart, chunk.count)])
        }
        self.position = position
    }
}
