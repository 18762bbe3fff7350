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
    private var text: [UInt8] = []

    /// The position in the document, and in each open container.
    private var positions: [Position] = [.start]

    /// Creates a generator.
    ///
    /// Without indentation, everything except unchanged objects is written without whitespace.
    init(layout: JSONLayout, isIndented: Bool = true) {
        self.layout = layout
        self.isIndented = layout != .compact && isIndented
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
        case .null: raw("null".utf8)
        case .bool(let value): raw(value ? "true".utf8 : "false".utf8)
        case .number(let number): raw(number.text.utf8)
        case .string(let string):
            beginValue()
            write(string)
            endValue()
        case .array([]): raw("[]".utf8)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            if let node = object.node, layout != .pretty {
                if layout == .compact { raw(node.compactText) } else { node.withBytes { raw($0) } }
            } else if object.members.isEmpty {
                raw("{}".utf8)
            } else {
                beginObject()
                for member in object.members { self.member(member) }
                endObject()
            }
        }
    }

    /// Writes the separator before a value whose text the caller writes after a flush.
    mutating func beforeText() { raw("".utf8) }

    mutating func object(_ object: JSONObject) { value(.object(object)) }

    /// The number of bytes that have not been flushed.
    var count: Int { text.count }

    /// Passes the collected text to `body`, and then discards it.
    mutating func flush(_ body: (UnsafeRawBufferPointer) throws(HARError) -> Void) throws(HARError) {
        try text.withUnsafeBytes { bytes in Result { () throws(HARError) in try body(bytes) } }.get()
        text.removeAll(keepingCapacity: true)
    }

    /// Removes and returns the collected text.
    mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }

    /// Returns the JSON text of a value.
    static func text(of value: JSONValue, layout: JSONLayout, isIndented: Bool = true) -> [UInt8] {
        if layout == .compact, let node = value.object?.node { return node.compactText }
        var generator = JSONGenerator(layout: layout, isIndented: isIndented)
        generator.value(value)
        return generator.take()
    }

    // MARK: Structure

    private mutating func open(_ bracket: Unicode.Scalar, _ position: Position) {
        beginValue()
        positions.append(position)
        text.append(UInt8(ascii: bracket))
        if isIndented { text.append(UInt8(ascii: "\n")) }
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        positions.removeLast()
        if isIndented {
            text.append(UInt8(ascii: "\n"))
            indent()
        }
        text.append(UInt8(ascii: bracket))
        endValue()
    }

    /// Writes what separates the next value or name from the previous one.
    private mutating func beginValue() {
        switch positions.last {
        case .value: return text.append(contentsOf: isIndented ? ": ".utf8 : ":".utf8)
        case .name, .element: text.append(contentsOf: isIndented ? ",\n".utf8 : ",".utf8)
        default: break
        }
        if isIndented { indent() }
    }

    private mutating func endValue() {
        let following: Position =
            switch positions.removeLast() {
            case .start, .end: .end
            case .firstName, .name: .value
            case .value: .name
            case .firstElement, .element: .element
            }
        positions.append(following)
        if isIndented, following == .end { text.append(UInt8(ascii: "\n")) }
    }

    private mutating func indent() {
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * (positions.count - 1)))
    }

    // MARK: Scalars

    /// Writes the text of a value unchanged.
    private mutating func raw(_ bytes: some Collection<UInt8>) {
        beginValue()
        text.append(contentsOf: bytes)
        endValue()
    }

    private mutating func write(_ string: JSONString) {
        text.append(UInt8(ascii: "\""))
        if let source = string.source {
            text.append(contentsOf: source)
        } else {
            var value = string.text
            value.withUTF8 { JSONText.escape(UnsafeRawBufferPointer($0), into: &text) }
        }
        text.append(UInt8(ascii: "\""))
    }
}

extension JSONText {
    /// Adds text to a string, with the escape sequences that JSON requires (RFC 8259, section 7), in their shortest form.
    fileprivate static func escape(_ text: UnsafeRawBufferPointer, into string: inout [UInt8]) {
        var copied = 0
        for (offset, byte) in text.enumerated()
        where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            string.append(contentsOf: text[from: copied, to: offset])
            copied = offset + 1
            string.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\n"): string.append(UInt8(ascii: "n"))
            case UInt8(ascii: "\r"): string.append(UInt8(ascii: "r"))
            case UInt8(ascii: "\t"): string.append(UInt8(ascii: "t"))
            case 0x08: string.append(UInt8(ascii: "b"))
            case 0x0C: string.append(UInt8(ascii: "f"))
            case ..<0x20:
                string.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
                string.append(contentsOf: String(byte, radix: 16, uppercase: true).utf8)
            default: string.append(byte)
            }
        }
        string.append(contentsOf: text[from: copied])
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
