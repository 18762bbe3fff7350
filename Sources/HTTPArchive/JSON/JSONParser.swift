import CJSONScan

#if SYSTEM_YAJL
    import CYajlTokens
#endif

/// A parser of JSON text that arrives in parts.
///
/// Each part replaces the tokens of the previous one.
package final class JSONParser {
    /// A parser in C.
    ///
    /// Both accept the same texts and find the same tokens.
    package enum Implementation: Sendable, CaseIterable {
        #if SYSTEM_YAJL
            /// libyajl, which the trait `SystemYajl` enables.
            case yajl
        #endif

        /// The parser of CJSONScan, which needs no library.
        case sections

        /// The parser for all files and texts.
        package static var standard: Self {
            #if SYSTEM_YAJL
                .yajl
            #else
                .sections
            #endif
        }
    }

    /// The size of the parts for which the tokens fit in the CPU cache, in bytes.
    static let partSize = 1 << 14

    /// The size of the parts of texts in memory, in bytes.
    ///
    /// A parser for a small text allocates less memory, which most allocators can then reuse without asking the system.
    static let smallPartSize = 1 << 12

    private let implementation: Implementation
    private let handle: OpaquePointer?
    private var buffer = UnsafeMutableBufferPointer<json_token>.allocate(capacity: 64)
    private var count = 0

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - implementation: The parser to use.
    ///   - onlyNeedsBrackets: Whether tokens other than brackets may be omitted.
    init(_ implementation: Implementation = .standard, onlyNeedsBrackets: Bool = false) {
        self.implementation = implementation
        switch implementation {
        #if SYSTEM_YAJL
            case .yajl: handle = yajl_tokens_create(onlyNeedsBrackets)
        #endif
        case .sections: handle = json_parser_create()
        }
        precondition(handle != nil, "The system has no memory for a parser.")
    }

    deinit {
        switch implementation {
        #if SYSTEM_YAJL
            case .yajl: yajl_tokens_free(handle)
        #endif
        case .sections: json_parser_free(handle)
        }
        buffer.deallocate()
    }

    /// The tokens of the last part, also those before an error.
    var tokens: UnsafeBufferPointer<json_token> { UnsafeBufferPointer(start: buffer.baseAddress, count: count) }

    /// The number of bytes since the last token that will be read again.
    var heldSize: Int {
        switch implementation {
        #if SYSTEM_YAJL
            case .yajl: yajl_tokens_held(handle)
        #endif
        case .sections: 0
        }
    }

    /// Parses the next part, and returns whether the text is valid so far.
    func parse(_ part: UnsafeRawBufferPointer) -> Bool {
        guard let bytes = part.bindMemory(to: UInt8.self).baseAddress else { return true }
        if buffer.count <= part.count {
            buffer.deallocate()
            buffer = .allocate(capacity: part.count + 1)
        }
        return switch implementation {
        #if SYSTEM_YAJL
            case .yajl: yajl_tokens_parse(handle, bytes, part.count, buffer.baseAddress, &count)
        #endif
        case .sections: json_parser_parse(handle, bytes, part.count, buffer.baseAddress, &count)
        }
    }

    /// Ends the text, and returns whether it is valid and complete.
    ///
    /// An incomplete token after the value of the document may be unnoticed.
    func finish() -> Bool {
        switch implementation {
        #if SYSTEM_YAJL
            case .yajl: yajl_tokens_finish(handle, buffer.baseAddress, &count)
        #endif
        case .sections: json_parser_finish(handle, buffer.baseAddress, &count)
        }
    }
}
