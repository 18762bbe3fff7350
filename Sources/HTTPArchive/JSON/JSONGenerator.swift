import CYajl
public import Foundation

/// The layout of generated JSON.
public enum JSONLayout: Sendable, Hashable {
    /// Keeps the text of unchanged objects and indents everything else.
    case unchanged

    /// Writes no whitespace.
    case compact

    /// Writes one line per value, indented by two spaces per level.
    case pretty
}

/// A yajl generator that collects the generated text.
struct JSONGenerator: ~Copyable {
    /// The depth at which nested containers are passed to a separate generator, because yajl supports only 128 levels.
    private static let depthLimit = 100

    private let handle: yajl_gen
    private let layout: JSONLayout
    private let isIndented: Bool
    private var depth = 0

    /// The generated text that precedes the text in yajl's buffer.
    private var pending: [UInt8] = []

    /// Creates a generator.
    ///
    /// Without indentation, everything except unchanged objects is written without whitespace.
    init(layout: JSONLayout, isIndented: Bool = true) {
        self.layout = layout
        self.isIndented = isIndented
        handle = yajl_gen_alloc(nil)
        if layout != .compact, isIndented { cyajl_beautify(handle) }
    }

    deinit { yajl_gen_free(handle) }

    mutating func beginObject() {
        depth += 1
        check(yajl_gen_map_open(handle))
    }

    mutating func endObject() {
        depth -= 1
        check(yajl_gen_map_close(handle))
    }

    mutating func beginArray() {
        depth += 1
        check(yajl_gen_array_open(handle))
    }

    mutating func endArray() {
        depth -= 1
        check(yajl_gen_array_close(handle))
    }

    /// Writes the name of the next member.
    mutating func name(_ name: JSONString) {
        guard let source = name.source else { return text(name.text) }
        // yajl would escape the escape sequences in the name again. Let it write an empty name, then replace that name.
        text("")
        pending += withBuffer { [UInt8]($0.dropLast(2)) } + Self.quoted(source)
        yajl_gen_clear(handle)
    }

    mutating func member(_ member: JSONObject.Member) {
        name(member.name)
        value(member.value)
    }

    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: check(yajl_gen_null(handle))
        case .bool(let value): check(yajl_gen_bool(handle, value ? 1 : 0))
        case .number(let number): raw(number.text.utf8)
        case .string(let string):
            if let source = string.source { raw(Self.quoted(source)) } else { text(string.text) }
        case .array, .object:
            if depth >= Self.depthLimit {
                raw(Self.text(of: value, layout: layout == .pretty ? .compact : layout, isIndented: isIndented))
            } else {
                container(value)
            }
        }
    }

    /// Writes the separator before a value whose text the caller writes after a flush.
    mutating func beforeText() { raw(UnsafeRawBufferPointer(start: nil, count: 0)) }

    mutating func object(_ object: JSONObject) { value(.object(object)) }

    /// The number of bytes that have not been flushed.
    var count: Int { pending.count + withBuffer { $0.count } }

    /// Passes the collected text to `body`, in one or two parts, and then discards it.
    mutating func flush(_ body: (UnsafeRawBufferPointer) throws(HARError) -> Void) throws(HARError) {
        if !pending.isEmpty {
            try pending.withUnsafeBytes { bytes in Result { () throws(HARError) in try body(bytes) } }.get()
            pending = []
        }
        try withBuffer { bytes throws(HARError) in try body(bytes) }
        yajl_gen_clear(handle)
    }

    /// Removes and returns the collected text.
    mutating func take() -> [UInt8] {
        defer {
            pending = []
            yajl_gen_clear(handle)
        }
        return pending + withBuffer { [UInt8]($0) }
    }

    /// Calls `body` with the text in yajl's buffer.
    private func withBuffer<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var start: UnsafePointer<UInt8>?
        var count = 0
        check(yajl_gen_get_buf(handle, &start, &count))
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns the JSON text of a value.
    static func text(of value: JSONValue, layout: JSONLayout, isIndented: Bool = true) -> [UInt8] {
        if layout == .compact, let node = value.object?.node { return node.compactText }
        var generator = JSONGenerator(layout: layout, isIndented: isIndented)
        generator.value(value)
        return generator.pending + generator.withBuffer { [UInt8]($0) }
    }

    private mutating func container(_ value: JSONValue) {
        switch value {
        // yajl would write an empty line between the brackets of an empty container.
        case .array([]): raw("[]".utf8)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            if let node = object.node, layout != .pretty {
                return layout == .compact ? raw(node.compactText) : node.withBytes { raw($0) }
            }
            if object.members.isEmpty { return raw("{}".utf8) }
            beginObject()
            for member in object.members { self.member(member) }
            endObject()
        default: break
        }
    }

    private static func quoted(_ source: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "\"")] + source + [UInt8(ascii: "\"")]
    }

    private func text(_ text: String) {
        var text = text
        text.withUTF8 { check(yajl_gen_string(handle, $0.baseAddress, $0.count)) }
    }

    /// Writes the text of a value unchanged.
    ///
    /// The text is passed to yajl as a number, because yajl does not validate numbers.
    private func raw(_ bytes: some Collection<UInt8>) {
        let written: Void? = bytes.withContiguousStorageIfAvailable { raw(UnsafeRawBufferPointer($0)) }
        if written == nil { [UInt8](bytes).withUnsafeBytes { raw($0) } }
    }

    private func raw(_ bytes: UnsafeRawBufferPointer) {
        check(yajl_gen_number(handle, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count))
    }

    /// Asserts success.
    ///
    /// Calls to yajl cannot fail, because this type ensures a valid depth and order, and yajl does not validate
    /// strings.
    private func check(_ status: yajl_gen_status) {
        assert(status == yajl_gen_status_ok, "yajl generator status \(status.rawValue)")
    }
}

extension JSONValue {
    /// Returns the value as JSON text.
    ///
    /// - Parameter layout: The layout; compact by default.
    /// - Returns: The text in UTF-8. Unchanged strings with invalid UTF-8 keep their original bytes.
    public func data(layout: JSONLayout = .compact) -> Data {
        Data(JSONGenerator.text(of: self, layout: layout))
    }
}
