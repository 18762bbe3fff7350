package import Foundation

/// A JSON text that is changed in places, while everything that is not touched stays byte for byte.
///
/// Numbers, the order of members, escapes, white space, a byte order mark in front and bytes that are no UTF-8 stay as
/// they are. A new member looks like its neighbours; a new value is written without white space, but for objects that
/// were read, which keep their text. In a text that is not UTF-8, new text is ASCII.
package struct JSONEditor: Sendable {
    /// The document, opened where changes needed it, or as text that nothing was asked of yet.
    private enum State {
        case editable(EditableJSON)
        case text([UInt8])
    }

    /// All before and after the document's value: white space, and a byte order mark.
    private let leading: [UInt8]
    private let trailing: [UInt8]

    private let isUTF8: Bool
    private var state: State

    /// The most that new values may add to the document, in bytes.
    private static let sizeLimit = JSONScanner.Limits().valueSize

    /// The number of bytes that new values added.
    private var addedSize = 0

    /// Takes a text.
    ///
    /// - Parameter text: A JSON document.
    /// - Throws: `malformedJSON` when it is no JSON document, with offset, line and column; `limitExceeded` over 1 GiB or
    ///   512 levels.
    /// - Complexity: O(*n*) in the length of the text.
    package init(_ text: Data) throws(HARError) {
        let mark: [UInt8] = text.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let source = try JSONSource.parsing(text.dropFirst(mark.count), after: mark.count)
        leading = [UInt8](text.prefix(source.offset))
        trailing = [UInt8](text.dropFirst(source.offset + source.bytes.count))
        isUTF8 = source.root.isUTF8
        state = .editable(EditableJSON(source.root, isUTF8: isUTF8))
    }

    /// The text with all changes.
    ///
    /// - Complexity: O(*n*) in its length.
    package var text: Data { Data(leading + valueText + trailing) }

    private var valueText: [UInt8] {
        switch state {
        case .editable(let editable): editable.text
        case .text(let text): text
        }
    }
}

extension JSONEditor {
    /// Puts a value where a pointer leads.
    ///
    /// A value that is there gives way. Where the parent is an object without such a member, one is added, and to an array
    /// an element, where the pointer ends with `-` or the number of elements. The empty pointer is the whole document.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - pointer: Its place; of a name that stands twice the last one is meant.
    /// - Throws: `overrideFailed`, which says how far the pointer exists; `limitExceeded` over 1 GiB or 512 levels.
    package mutating func set(_ value: JSONValue, at pointer: JSONPointer) throws(HARError) {
        var editable = try takeEditable()
        defer { state = .editable(editable) }
        try put(try editable.node(value), at: pointer, .set, in: &editable)
    }

    /// Removes the value that a pointer leads to, with one comma.
    ///
    /// Of a name that stands twice every member is removed.
    ///
    /// - Parameter pointer: The place of the value.
    /// - Throws: `overrideFailed`, which says how far the pointer exists, or that it is the whole document.
    package mutating func remove(at pointer: JSONPointer) throws(HARError) {
        var editable = try takeEditable()
        defer { state = .editable(editable) }
        try editable.remove(at: pointer)
    }
}

extension JSONEditor {
    /// The document for changes.
    func editable() throws(HARError) -> EditableJSON {
        switch state {
        case .editable(let editable): editable
        case .text(let text): EditableJSON(try JSONSource.parsing(written: text).root, isUTF8: isUTF8)
        }
    }

    /// The document for one change, after which it must be put back; it is not shared, so that nothing is copied.
    private mutating func takeEditable() throws(HARError) -> EditableJSON {
        let editable = try editable()
        state = .text([])
        return editable
    }

    /// Takes the changed document.
    mutating func update(_ editable: EditableJSON) { state = .editable(editable) }

    /// Takes the changed text of the document.
    mutating func update(_ text: [UInt8]) { state = .text(text) }

    /// Puts a value into a editable, within the limits of size and depth.
    mutating func put(
        _ node: JSONNode, at pointer: JSONPointer, _ placement: EditableJSON.Placement, in editable: inout EditableJSON
    ) throws(HARError) {
        let size = addedSize + node.range.count
        guard size <= Self.sizeLimit else {
            throw HARError(
                .limitExceeded, "New values would add more than \(Self.sizeLimit) bytes to the document.",
                at: .init(pointer: pointer))
        }
        try editable.put(node, at: pointer, placement)
        addedSize = size
    }
}

extension JSONEditor {
    /// Replaces the value of every member that has one of the names, at any depth, in objects inside arrays too.
    ///
    /// The value gives way whatever its type was. Names that are not in the document add nothing, and what is put in is not
    /// searched. A text of more than 4 GiB stays as it is.
    ///
    /// - Parameter values: The new values by the names of members.
    /// - Complexity: O(*n*) in the length of the text.
    package mutating func replaceMembers(_ values: [String: JSONValue]) {
        guard !values.isEmpty, let editable = try? editable(), let node = try? editable.node(editable[.root]) else {
            return
        }
        var texts: [JSONString: [UInt8]] = [:]
        for (name, value) in values { texts[JSONString(name)] = editable.text(of: value) }
        if let text = node.source.replacingMembers(texts, of: node) { update(text) }
    }
}

extension JSONSource {
    /// The text of a value in which the members of given names have other values.
    ///
    /// - Returns: `nil` when there are none of them.
    fileprivate func replacingMembers(_ texts: [JSONString: [UInt8]], of node: JSONNode) -> [UInt8]? {
        // Most names differ from all wanted ones in their size, so that they need not be decoded.
        let sizes = Set(texts.keys.map { UInt32(truncatingIfNeeded: $0.text.utf8.count) }).union([0])
        let range = node.range
        var text: [UInt8] = []
        var copied = range.lowerBound
        bytes.withUnsafeBytes { bytes in
            tokens.withUnsafeBufferPointer { tokens in
                var index = node.index
                let end = node.next
                while index < end {
                    defer { index += 1 }
                    guard tokens[index].kind == .key, sizes.contains(tokens[index].next) else { continue }
                    let start = JSONText.skipGap(in: bytes, from: Int(tokens[index - 1].end)) + 1
                    let name = JSONString(source: bytes[from: start, to: Int(tokens[index].end) - 1])
                    guard let replacement = texts[name] else { continue }
                    text += bytes[copied..<JSONText.skipGap(in: bytes, from: Int(tokens[index].end))]
                    text += replacement
                    index = next(after: index + 1) - 1
                    copied = Int(tokens[index].end)
                }
                if copied > range.lowerBound { text += bytes[copied..<range.upperBound] }
            }
        }
        return copied > range.lowerBound ? text : nil
    }
}
