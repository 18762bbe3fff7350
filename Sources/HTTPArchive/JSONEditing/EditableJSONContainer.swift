/// An array or object in a document that is being edited, without its commas.
///
/// Commas are generated between items when the container is written, so adding and removing items does not affect them.
/// The white space next to the brackets belongs to the container, and the white space around a comma belongs to the
/// adjacent items.
struct EditableJSONContainer: Sendable {
    /// A member or an element.
    struct Item: Sendable {
        /// The name of the member, or nil for elements.
        let name: JSONString?

        /// The text from the name's opening quotation mark to the value, which is empty for elements.
        let head: ArraySlice<UInt8>

        var value: EditableJSON.Value

        /// The white space between the preceding comma and the item.
        var before: ArraySlice<UInt8>

        /// The white space between the item and the following comma.
        var after: ArraySlice<UInt8>
    }

    let isObject: Bool
    private(set) var items: [Item] = []

    /// The white space between the opening bracket and the first item.
    private(set) var opening: ArraySlice<UInt8> = []

    /// The white space between the last item and the closing bracket.
    private(set) var closing: ArraySlice<UInt8> = []

    /// The white space between the brackets of a container that was empty when it was read.
    private(set) var vacancy: ArraySlice<UInt8> = []

    /// The white space before new items.
    private var before: ArraySlice<UInt8> = []
    /// The white space after new items.
    private var after: ArraySlice<UInt8> = []
    private var colon: ArraySlice<UInt8> = [UInt8(ascii: ":")]

    /// Creates an empty object.
    init() { isObject = true }

    /// Opens a container that was read, or returns nil for other values.
    init?(_ node: JSONNode) {
        let source = node.source
        guard node.kind == .object || node.kind == .array else { return nil }
        isObject = node.kind == .object
        var last = node.index
        var index = last + 1
        while source.tokens[index].kind != .close {
            appendItem(at: index, of: source, after: last)
            last = source.next(after: isObject ? index + 1 : index) - 1
            index = last + 1
        }
        let space = source.bytes[Int(source.tokens[last].end)..<Int(source.tokens[index].end) - 1]
        if items.isEmpty { vacancy = space } else { closing = space }
        learnLayout()
    }

    /// Appends the item whose first token is at `index`.
    ///
    /// `last` is the index of the last token of the preceding item, or of the opening bracket.
    private mutating func appendItem(at index: Int, of source: JSONSource, after last: Int) {
        let gap = source.gap(after: last)
        if items.isEmpty {
            opening = gap
        } else {
            items[items.count - 1].after = gap.prefix { $0 != UInt8(ascii: ",") }
        }
        let before = items.isEmpty ? [] : gap.drop { $0 != UInt8(ascii: ",") }.dropFirst()
        let value = JSONNode(source: source, index: isObject ? index + 1 : index)
        let head = source.bytes[gap.endIndex..<value.range.lowerBound]
        if isObject { colon = source.gap(after: index) }
        let name = isObject ? JSONNode(source: source, index: index).string : nil
        items.append(Item(name: name, head: head, value: .unopened(value), before: before, after: []))
    }

    /// Derives the layout of new items from the last item.
    private mutating func learnLayout() {
        guard let last = items.last else { return }
        if items.count > 1 {
            before = last.before
            after = items[items.count - 2].after
        } else {
            // In the usual style, `{"a": 1, "b": 2}`, the white space after a comma is the same as after a colon.
            before = opening.isEmpty ? colon.drop { $0 != UInt8(ascii: ":") }.dropFirst() : opening
        }
        items[0].before = before
        items[items.count - 1].after = after
    }
}

extension JSONSource {
    /// Returns the text between a token and the next one.
    func gap(after index: Int) -> ArraySlice<UInt8> {
        let start = Int(tokens[index].end)
        return bytes[start..<bytes.withUnsafeBytes { JSONText.skipGap(in: $0, from: start) }]
    }
}

extension EditableJSONContainer {
    /// Returns the index of an element, or of the last member with the given name.
    func index(of component: String) -> Int? {
        if isObject {
            let name = JSONString(component)
            return items.lastIndex { $0.name == name }
        }
        return Self.arrayIndex(component).flatMap { $0 < items.count ? $0 : nil }
    }

    /// The index of the last member with each name.
    var indices: [JSONString: Int] {
        var indices: [JSONString: Int] = [:]
        for (index, item) in items.enumerated() {
            if let name = item.name { indices[name] = index }
        }
        return indices
    }

    /// Parses an array index in a pointer, or returns nil for other text and for leading zeros (RFC 6901, section 4).
    static func arrayIndex(_ component: String) -> Int? {
        let digits = component.utf8
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != 0x30 || digits.count == 1 else {
            return nil
        }
        return Int(component)
    }

    /// Returns the index for a new element, which is at most the number of elements, or `-` for the end.
    func newIndex(_ component: String) -> Int? {
        guard component != "-" else { return items.count }
        return Self.arrayIndex(component).flatMap { $0 <= items.count ? $0 : nil }
    }

    mutating func replaceValue(at index: Int, with value: EditableJSON.Value) { items[index].value = value }

    mutating func insert(_ value: EditableJSON.Value, at index: Int) {
        items.insert(Item(name: nil, head: [], value: value, before: before, after: after), at: index)
    }

    /// Appends a member.
    ///
    /// `quoted` is the JSON text of its name.
    mutating func append(_ value: EditableJSON.Value, named name: JSONString, quoted: [UInt8]) {
        items.append(Item(name: name, head: quoted + colon, value: value, before: before, after: after))
    }

    mutating func remove(at index: Int) { items.remove(at: index) }

    /// Removes every member with one of the names.
    mutating func removeAll(named names: Set<JSONString>) {
        guard !names.isEmpty else { return }
        items.removeAll { $0.name.map(names.contains) ?? false }
    }
}
