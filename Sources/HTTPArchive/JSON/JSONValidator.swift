import CJSONScan
import CYajl

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
