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

/// A generator of JSON text.
struct JSONGenerator: ~Copyable {
    /// The position of the next value.
    private enum Position {
        /// Nothing, because it is the only value.
        case start

        /// An opening brace, or a comma. The next value is a name.
        case firstName, name

        /// A name and a colon.
        case value

        /// An opening bracket, or a comma.
        case firstElement, element

        /// The only value, so that no value can follow.
        case end
    }

    private let layout: JSONLayout

    /// Whether each value begins on a new line.
    private let isIndented: Bool

    /// The text that has not been flushed.
    private var text = TextBuffer()

    /// The position in the document or in the innermost open container.
    private var position = Position.start

    /// The positions in the document and the containers around the innermost one.
    private var outerPositions: [Position] = []

    /// Creates a generator.
    ///
    /// Without indentation, everything except unchanged objects is written without whitespace.
    init(layout: JSONLayout, isIndented: Bool = true) {
        self.layout = layout
        self.isIndented = layout != .compact && isIndented
    }

    /// Creates a generator of the elements of an array, after the first one.
    ///
    /// - Parameters:
    ///   - layout: The layout.
    ///   - depth: The number of open containers.
    init(elementsIn layout: JSONLayout, depth: Int) {
        self.init(layout: layout)
        position = .element
        outerPositions = Array(repeating: .value, count: depth)
    }

    mutating func beginObject() { open("{", .firstName) }

    mutating func endObject() { close("}") }

    mutating func beginArray() { open("[", .firstElement) }

    mutating func endArray() { close("]") }

    /// Writes the name of the next member.
    mutating func name(_ name: JSONString) {
        beginValue()
        write(name)
        endValue()
    }

    mutating func member(_ member: JSONObject.Member) {
        name(member.name)
        value(member.value)
    }

    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let number): number.text.withUTF8Bytes { raw($0) }
        case .string(let string):
            beginValue()
            write(string)
            endValue()
        case .array(let elements) where elements.isEmpty: raw("[]")
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            if let node = object.node, layout != .pretty {
                if layout == .compact {
                    node.compactText.withUnsafeBytes { raw($0) }
                } else {
                    node.withBytes { raw($0) }
                }
                return
            }
            let members = object.members
            guard !members.isEmpty else { return raw("{}") }
            beginObject()
            for member in members { self.member(member) }
            endObject()
        }
    }

    /// Writes the separator before a value whose text the caller writes after a flush.
    mutating func beforeText() { raw("") }

    mutating func object(_ object: JSONObject) { value(.object(object)) }

    /// The number of bytes that have not been flushed.
    var count: Int { text.count }

    /// Passes the collected text to `body`, and then discards it.
    mutating func flush(_ body: (UnsafeRawBufferPointer) throws(HARError) -> Void) throws(HARError) {
        try body(text.bytes)
        text.removeAll()
    }

    /// Removes and returns the collected text.
    mutating func take() -> [UInt8] {
        defer { text = TextBuffer() }
        return [UInt8](text.bytes)
    }

    /// Returns the JSON text of a value.
    static func text(of value: JSONValue, layout: JSONLayout, isIndented: Bool = true) -> [UInt8] {
        if layout == .compact, let node = value.object?.node { return node.compactText }
        var generator = JSONGenerator(layout: layout, isIndented: isIndented)
        generator.value(value)
        return generator.take()
    }

    // MARK: Structure

    private mutating func open(_ bracket: Unicode.Scalar, _ first: Position) {
        beginValue()
        outerPositions.append(position)
        position = first
        text.append(UInt8(ascii: bracket))
        if isIndented { text.append(UInt8(ascii: "\n")) }
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        position = outerPositions.removeLast()
        if isIndented {
            text.append(UInt8(ascii: "\n"))
            indent()
        }
        text.append(UInt8(ascii: bracket))
        endValue()
    }

    /// Writes what separates the next value or name from the previous one.
    @inline(__always)
    private mutating func beginValue() {
        switch position {
        case .value:
            text.append(UInt8(ascii: ":"))
            if isIndented { text.append(UInt8(ascii: " ")) }
            return
        case .name, .element:
            text.append(UInt8(ascii: ","))
            if isIndented { text.append(UInt8(ascii: "\n")) }
        default: break
        }
        if isIndented { indent() }
    }

    @inline(__always)
    private mutating func endValue() {
        position =
            switch position {
            case .start, .end: .end
            case .firstName, .name: .value
            case .value: .name
            case .firstElement, .element: .element
            }
        if isIndented, position == .end { text.append(UInt8(ascii: "\n")) }
    }

    private mutating func indent() { text.append(spaces: 2 * outerPositions.count) }

    // MARK: Scalars

    private mutating func raw(_ value: StaticString) {
        raw(UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Writes the text of a value unchanged.
    private mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        beginValue()
        text.append(bytes)
        endValue()
    }

    @inline(__always)
    private mutating func write(_ string: JSONString) {
        text.append(UInt8(ascii: "\""))
        if let source = string.source {
            source.withUnsafeBytes { text.append($0) }
        } else {
            string.text.withUTF8Bytes { text.append(escaping: $0) }
        }
        text.append(UInt8(ascii: "\""))
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
