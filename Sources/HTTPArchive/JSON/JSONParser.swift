import CJSONScan
import CYajl
import Foundation

/// A yajl parser that reads a document chunk by chunk.
///
/// yajl does not receive the middle of long strings, which is validated separately, many bytes at a time. Omitting this
/// text does not change whether the document is valid.
struct JSONParser: ~Copyable {
    /// The maximum size of the parts that are searched for long strings, in bytes.
    ///
    /// A part of this size fits in the CPU cache.
    static let chunkSize = 1 << 16

    private let handle: yajl_handle
    private let scanner: JSONScanner
    private var passages = passages_state()

    /// The number of bytes passed to yajl since the last token.
    private(set) var heldSize = 0

    /// Creates a parser that retains `scanner` and sends it all events.
    init(scanner: JSONScanner) {
        self.scanner = scanner
        handle = yajl_alloc(callbacks, nil, Unmanaged.passUnretained(scanner).toOpaque())
        scanner.parser = handle
        cyajl_pass_invalid_utf8(handle)
    }

    deinit { yajl_free(handle) }

    /// Parses the next chunk, which is borrowed only for this call.
    ///
    /// - Throws: `malformedJSON` with the offset (and the line and column if the scanner counts lines),
    ///   `limitExceeded`, or another error from the scanner.
    mutating func feed(_ chunk: UnsafeRawBufferPointer) throws(HARError) {
        guard !chunk.isEmpty else { return }
        scanner.beginChunk(chunk)
        var rest = chunk
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.chunkSize))
            let start = scanner.chunkStart + chunk.count - rest.count
            try feed(part: part, at: start)
            scanner.checkSize(upTo: start + part.count, held: heldSize)
            if let failure = scanner.failure { throw failure }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
        }
        scanner.endChunk()
        if scanner.pendingSize == 0 { heldSize = 0 }
        if let failure = scanner.failure { throw failure }
    }

    /// Parses a part of the current chunk, omitting the middle of long strings.
    private mutating func feed(part: UnsafeRawBufferPointer, at start: Int) throws(HARError) {
        let capacity = part.count / Int(passages_least_length) + 1
        let failure = withUnsafeTemporaryAllocation(of: passage.self, capacity: capacity) { found -> HARError? in
            let bytes = part.bindMemory(to: UInt8.self).baseAddress
            let count = passages_find(bytes, part.count, &passages, found.baseAddress)
            var offset = 0
            do throws(HARError) {
                for passage in found[..<count] {
                    try parse(part[from: offset, to: Int(passage.start)], at: start + offset)
                    offset = Int(passage.end)
                    scanner.omittedEnd = start + offset
                }
                try parse(part[from: offset], at: start + offset)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Passes text to yajl.
    ///
    /// The text begins at the given offset in the document.
    private mutating func parse(_ text: UnsafeRawBufferPointer, at start: Int) throws(HARError) {
        guard !text.isEmpty else { return }
        scanner.textStart = start
        let status = yajl_parse(handle, text.bindMemory(to: UInt8.self).baseAddress, text.count)
        guard status == yajl_status_ok else { throw error(consuming: text.count) }
        heldSize = min(heldSize + text.count, start + text.count - scanner.lastEnd)
    }

    /// Parses the next chunk.
    ///
    /// - Throws: The same errors as for a borrowed buffer.
    mutating func feed(_ chunk: some ContiguousBytes) throws(HARError) {
        try chunk.withUnsafeBytes { bytes in
            do throws(HARError) {
                return Result<Void, HARError>.success(try feed(bytes))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Finishes parsing at the end of the document.
    ///
    /// - Throws: `malformedJSON` if the document is incomplete.
    func finish() throws(HARError) {
        scanner.textStart = scanner.chunkStart
        guard yajl_complete_parse(handle) == yajl_status_ok else {
            throw error(consuming: 0)
        }
        if let failure = scanner.failure { throw failure }
    }

    /// Returns the error that stopped yajl.
    ///
    /// - Parameter size: The size of the text that was last passed to yajl, in bytes.
    /// - Returns: The error.
    private func error(consuming size: Int) -> HARError {
        if let failure = scanner.failure { return failure }
        if let error = scanner.mistake() { return error }
        let message = yajl_get_error(handle, 0, nil, 0)
        defer { yajl_free_error(handle, message) }
        let reason =
            message.map { String(cString: $0).trimmingPrefix("parse error: ").prefix { $0 != "\n" && $0 != "." } }
            ?? "parse error"
        let offset = scanner.textStart + min(yajl_get_bytes_consumed(handle), size)
        return scanner.error(for: JSONSyntaxError(offset: offset, problem: String(reason), isValue: false))
    }
}

/// The table of callbacks, which is never deallocated because yajl stores its address.
nonisolated(unsafe) private let callbacks: UnsafePointer<yajl_callbacks> = {
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
        guard let parser = scanner.parser else { return 0 }
        return event(scanner, scanner.textStart + yajl_get_bytes_consumed(parser)) ? 1 : 0
    }
}
