import CYajl
import Foundation

/// Owns one yajl parser, and feeds it a document chunk by chunk.
struct JSONParser: ~Copyable {
    private let handle: yajl_handle
    private let scanner: JSONScanner

    /// The line at the start of the next chunk, counted from 1.
    private var line = 1

    /// The place of that line's first byte.
    private var lineStart = 0

    /// Creates a parser that keeps `scanner` alive and sends it every event.
    init(scanner: JSONScanner) {
        self.scanner = scanner
        handle = yajl_alloc(callbacks, nil, Unmanaged.passUnretained(scanner).toOpaque())
        scanner.parser = handle
        cyajl_pass_invalid_utf8(handle)
    }

    deinit { yajl_free(handle) }

    /// Parses the next chunk, borrowed for this call only.
    ///
    /// - Throws: `malformedJSON` with offset, line and column; `limitExceeded`; what the scanner stops with.
    mutating func feed(_ chunk: UnsafeRawBufferPointer) throws(HARError) {
        guard !chunk.isEmpty else { return }
        scanner.beginChunk(chunk)
        let status = yajl_parse(handle, chunk.bindMemory(to: UInt8.self).baseAddress, chunk.count)
        guard status == yajl_status_ok else { throw error(in: chunk) }
        (line, lineStart) = position(after: chunk)
        scanner.endChunk()
        if let failure = scanner.failure { throw failure }
    }

    /// Parses the next chunk.
    ///
    /// - Throws: As for bytes that are borrowed.
    mutating func feed(_ chunk: some ContiguousBytes) throws(HARError) {
        try chunk.withUnsafeBytes { bytes in
            do throws(HARError) {
                return Result<Void, HARError>.success(try feed(bytes))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Ends the document.
    ///
    /// - Throws: `malformedJSON` when the document is not complete.
    func finish() throws(HARError) {
        guard yajl_complete_parse(handle) == yajl_status_ok else {
            throw error(in: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        if let failure = scanner.failure { throw failure }
    }

    /// What made yajl stop.
    private func error(in chunk: UnsafeRawBufferPointer) -> HARError {
        if let failure = scanner.failure { return failure }
        let text = yajl_get_error(handle, 0, nil, 0)
        defer { yajl_free_error(handle, text) }
        let reason =
            text.map { String(cString: $0).trimmingPrefix("parse error: ").prefix { $0 != "\n" && $0 != "." } }
            ?? "parse error"
        let consumed = min(yajl_get_bytes_consumed(handle), chunk.count)
        let offset = scanner.chunkStart + consumed
        let (line, lineStart) = position(after: UnsafeRawBufferPointer(rebasing: chunk.prefix(consumed)))
        return HARError(
            .malformedJSON, "The JSON is broken: \(reason).",
            at: .init(byteOffset: offset, line: line, column: offset - lineStart + 1))
    }

    /// The line that follows `bytes`, and the place of its first byte.
    private func position(after bytes: UnsafeRawBufferPointer) -> (line: Int, lineStart: Int) {
        var position = (line, lineStart)
        var rest = bytes
        while let place = rest.firstPlace(of: 0x0A) {
            rest = rest[from: place + 1]
            position = (position.0 + 1, scanner.chunkStart + bytes.count - rest.count)
        }
        return position
    }
}

/// The table of callbacks; yajl keeps its address, so it lives as long as the process.
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

/// Gives one event, with the place where its token ends, to the scanner behind a callback's context.
@inline(__always)
private func send(_ context: UnsafeMutableRawPointer?, _ event: (JSONScanner, Int) -> Bool) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<JSONScanner>.fromOpaque(context)._withUnsafeGuaranteedRef { scanner in
        guard let parser = scanner.parser else { return 0 }
        return event(scanner, scanner.chunkStart + yajl_get_bytes_consumed(parser)) ? 1 : 0
    }
}
