import CJSONScan
import CYajl
import Foundation

extension JSONScanner {
    /// The maximum size of the parts that are searched for long strings, in bytes.
    ///
    /// A part of this size fits in the CPU cache.
    static let chunkSize = 1 << 16

    /// Parses the next chunk, which is borrowed only for this call.
    ///
    /// - Throws: `malformedJSON` with the offset (and the line and column if the scanner counts lines),
    ///   `limitExceeded`, or another error from the scanner.
    final func feed(_ chunk: UnsafeRawBufferPointer) throws(HARError) {
        guard !chunk.isEmpty else { return }
        beginChunk(chunk)
        var rest = chunk
        while !rest.isEmpty {
            let part = rest[from: 0, to: min(Self.chunkSize, rest.count)]
            let start = chunkStart + chunk.count - rest.count
            _ = passages.forEachRest(of: part) { text, offset in
                if offset > 0 { omittedEnd = start + offset }
                return parse(text, at: start + offset)
            }
            checkSize(upTo: start + part.count)
            if let failure { throw failure }
            rest = rest[from: part.count]
        }
        endChunk()
        if let failure { throw failure }
    }

    /// Passes text to yajl, and stops if it is invalid.
    ///
    /// The text begins at the given offset in the document.
    private func parse(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard !text.isEmpty else { return true }
        textStart = start
        guard text.isAccepted(by: parser) else {
            stop(error(consuming: text.count))
            return false
        }
        heldSize = min(heldSize + text.count, start + text.count - lastEnd)
        return true
    }

    /// Parses the next chunk.
    ///
    /// - Throws: The same errors as for a borrowed buffer.
    final func feed(_ chunk: some ContiguousBytes) throws(HARError) {
        try chunk.withUnsafeBytes { bytes in Result { () throws(HARError) in try feed(bytes) } }.get()
    }

    /// Finishes parsing at the end of the document.
    ///
    /// - Throws: `malformedJSON` if the document is incomplete.
    final func finish() throws(HARError) {
        textStart = chunkStart
        guard yajl_complete_parse(parser) == yajl_status_ok else {
            throw error(consuming: 0)
        }
        if let failure { throw failure }
    }

    /// Returns the error that stopped yajl.
    ///
    /// - Parameter size: The size of the text that was last passed to yajl, in bytes.
    /// - Returns: The error.
    private func error(consuming size: Int) -> HARError {
        if let failure { return failure }
        if let error = mistake() { return error }
        let message = yajl_get_error(parser, 0, nil, 0)
        defer { yajl_free_error(parser, message) }
        let reason =
            message.map { String(cString: $0).trimmingPrefix("parse error: ").prefix { $0 != "\n" && $0 != "." } }
            ?? "parse error"
        let offset = textStart + min(yajl_get_bytes_consumed(parser), size)
        return error(for: JSONSyntaxError(offset: offset, problem: String(reason), isValue: false))
    }
}

/// The table of callbacks, which is never deallocated because yajl stores its address.
nonisolated(unsafe) let scannerCallbacks: UnsafePointer<yajl_callbacks> = {
    let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
    table.initialize(
        to: yajl_callbacks(
            yajl_null: { send($0) { $0.scalar(.null, endingAt: $1) } },
            yajl_boolean: { context, value in
                send(context) { $0.scalar(value != 0 ? .true : .false, endingAt: $1) }
            },
            yajl_integer: nil,
            yajl_double: nil,
            yajl_number: { context, _, _ in send(context) { $0.scalar(.number, endingAt: $1) } },
            yajl_string: { context, _, size in send(context) { $0.scalar(.string, endingAt: $1, size: size) } },
            yajl_start_map: { send($0) { $0.open(.object, endingAt: $1) } },
            yajl_map_key: { context, _, size in send(context) { $0.key(endingAt: $1, size: size) } },
            yajl_end_map: { send($0) { $0.close(.object, endingAt: $1) } },
            yajl_start_array: { send($0) { $0.open(.array, endingAt: $1) } },
            yajl_end_array: { send($0) { $0.close(.array, endingAt: $1) } }))
    return UnsafePointer(table)
}()

/// Passes an event and the offset after its token to the scanner in the callback's context.
@inline(__always)
private func send(_ context: UnsafeMutableRawPointer?, _ event: (JSONScanner, Int) -> Bool) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<JSONScanner>.fromOpaque(context)._withUnsafeGuaranteedRef { scanner in
        event(scanner, scanner.textStart + yajl_get_bytes_consumed(scanner.parser)) ? 1 : 0
    }
}

/// A validator for a series of JSON texts.
///
/// It captures no values, so it runs at the full speed of the parser.
///
/// The parser receives the texts as elements of one endless array, so that they can share one handle. As with
/// ``JSONScanner``, it does not receive the middle of long strings.
final class JSONValidator {
    private let handle: yajl_handle
    private let nesting: UnsafeMutablePointer<cyajl_nesting>
    private var passages = passages_state()
    private var hasElements = false

    /// The maximum depth of nested containers.
    let depth: Int

    /// Creates a validator.
    ///
    /// - Parameter depth: The maximum depth of nested containers.
    init(depth: Int) {
        self.depth = depth
        nesting = .allocate(capacity: 1)
        nesting.initialize(to: cyajl_nesting(depth: 0, limit: depth == .max ? depth : depth + 1, element_count: 0))
        handle = cyajl_alloc_validator(nesting)
        cyajl_pass_invalid_utf8(handle)
        _ = parse("[")
    }

    deinit {
        yajl_free(handle)
        nesting.deallocate()
    }

    /// Validates the next text.
    ///
    /// After the first invalid text, all later texts are reported as invalid.
    ///
    /// - Parameter text: A list of values separated by commas, without surrounding whitespace. The first and last
    ///   values must be objects.
    /// - Returns: The number of objects and arrays in the list, or nil if the text is invalid or nested too deeply.
    func objectCount(of text: UnsafeRawBufferPointer) -> Int? {
        guard text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") else { return nil }
        if hasElements, !parse(",") { return nil }
        hasElements = true
        let count = nesting.pointee.element_count
        guard parse(text), nesting.pointee.depth == 1 else { return nil }
        return nesting.pointee.element_count - count
    }

    private func parse(_ text: StaticString) -> Bool {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).isAccepted(by: handle)
    }

    private func parse(_ text: UnsafeRawBufferPointer) -> Bool {
        var rest = text
        while !rest.isEmpty {
            let part = rest[from: 0, to: min(JSONScanner.chunkSize, rest.count)]
            guard passages.forEachRest(of: part, { part, _ in part.isAccepted(by: handle) }) else { return false }
            rest = rest[from: part.count]
        }
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// Passes the bytes to a parser, and returns whether its text is valid so far.
    func isAccepted(by parser: yajl_handle?) -> Bool {
        yajl_parse(parser, bindMemory(to: UInt8.self).baseAddress, count) == yajl_status_ok
    }
}

extension passages_state {
    /// Calls `body` with each part of the next text that yajl must read, and its offset, until `body` returns false.
    ///
    /// The middle of long strings is omitted.
    ///
    /// - Returns: Whether `body` has always returned true.
    mutating func forEachRest(
        of text: UnsafeRawBufferPointer, _ body: (_ part: UnsafeRawBufferPointer, _ offset: Int) -> Bool
    ) -> Bool {
        let capacity = text.count / Int(passages_least_length) + 1
        return withUnsafeTemporaryAllocation(of: passage.self, capacity: capacity) { found in
            let bytes = text.bindMemory(to: UInt8.self).baseAddress
            let count = passages_find(bytes, text.count, &self, found.baseAddress)
            var offset = 0
            for passage in found[..<count] {
                guard body(text[from: offset, to: Int(passage.start)], offset) else { return false }
                offset = Int(passage.end)
            }
            return body(text[from: offset], offset)
        }
    }
}
