import CYajl
public import Foundation

/// How JSON is laid out when it is written.
public enum JSONLayout: Sendable, Hashable {
    /// Objects that were read and not changed keep their text, byte for byte; everything else is indented.
    case unchanged

    /// No white space.
    case compact

    /// A line for each value, indented by two spaces a level.
    case pretty
}

/// Owns one yajl generator, which collects the text it is told to write.
struct JSONGenerator: ~Copyable {
    /// Below this depth a value is written by a generator of its own: yajl's goes no deeper than 128 levels.
    private static let depthLimit = 100

    private let handle: yajl_gen
    private let layout: JSONLayout
    private let isIndented: Bool
    private var depth = 0

    /// The text before what yajl has collected.
    private var pending: [UInt8] = []

    /// Creates a generator; one that is not to indent writes what has no text of its own without white space.
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

    /// Writes the name of the member that comes next.
    mutating func name(_ name: JSONString) {
        guard let source = name.source else { return text(name.text) }
        // yajl would escape the name's own escapes again: let it write an empty name, and put the right one there.
        text("")
        pending += withBuffer { [UInt8]($0.dropLast(2)) } + Self.quoted(source)
        yajl_gen_clear(handle)
    }

    /// Writes a member.
    mutating func member(_ member: JSONObject.Member) {
        name(member.name)
        value(member.value)
    }

    /// Writes a value.
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

    /// Writes what stands before a value, whose text the caller writes once this was flushed.
    mutating func beforeText() { raw(UnsafeRawBufferPointer(start: nil, count: 0)) }

    /// Writes an object.
    mutating func object(_ object: JSONObject) { value(.object(object)) }

    /// The number of bytes collected.
    var count: Int { pending.count + withBuffer { $0.count } }

    /// Gives the text collected so far to `body`, and forgets it.
    mutating func flush(_ body: (UnsafeRawBufferPointer) throws(HARError) -> Void) throws(HARError) {
        if !pending.isEmpty {
            let failure = pending.withUnsafeBytes { bytes in
                do throws(HARError) {
                    try body(bytes)
                    return HARError?.none
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
            pending = []
        }
        try withBuffer { bytes throws(HARError) in try body(bytes) }
        yajl_gen_clear(handle)
    }

    /// Gives the text collected so far, and forgets it.
    mutating func take() -> [UInt8] {
        defer {
            pending = []
            yajl_gen_clear(handle)
        }
        return pending + withBuffer { [UInt8]($0) }
    }

    /// Calls `body` with what yajl has collected.
    private func withBuffer<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var start: UnsafePointer<UInt8>?
        var count = 0
        check(yajl_gen_get_buf(handle, &start, &count))
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The text of one value.
    static func text(of value: JSONValue, layout: JSONLayout, isIndented: Bool = true) -> [UInt8] {
        var generator = JSONGenerator(layout: layout, isIndented: isIndented)
        generator.value(value)
        return generator.pending + generator.withBuffer { [UInt8]($0) }
    }

    private mutating func container(_ value: JSONValue) {
        switch value {
        // yajl would put an empty line into what is empty.
        case .array([]): raw("[]".utf8)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            if layout == .unchanged, let node = object.node {
                node.withBytes { raw($0) }
                return
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

    /// Writes the text of a value as it is: yajl writes what it is given as a number unchecked.
    private func raw(_ bytes: some Collection<UInt8>) {
        let written: Void? = bytes.withContiguousStorageIfAvailable { raw(UnsafeRawBufferPointer($0)) }
        if written == nil { [UInt8](bytes).withUnsafeBytes { raw($0) } }
    }

    private func raw(_ bytes: UnsafeRawBufferPointer) {
        check(yajl_gen_number(handle, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count))
    }

    /// Depth and order are kept right above, and strings are not checked by yajl: no status but success can come.
    private func check(_ status: yajl_gen_status) {
        assert(status == yajl_gen_status_ok, "yajl generator status \(status.rawValue)")
    }
}

extension JSONValue {
    /// The value as JSON text.
    ///
    /// - Parameter layout: How it is laid out; compact by default.
    /// - Returns: The text, in UTF-8 but for bytes in unchanged strings that were no UTF-8 when they were read.
    public func data(layout: JSONLayout = .compact) -> Data {
        Data(JSONGenerator.text(of: self, layout: layout))
    }
}
