/// An array or object in a document that is being edited.
///
/// Commas are not stored but generated between items, so they remain correct when items are added or removed. The
/// container stores the whitespace next to its brackets, and the items store the whitespace around the commas.
struct EditableJSONContainer: Sendable {
    /// A member or an element.
    struct Item: Sendable {
        /// The name of the member, or nil for elements.
        let name: JSONString?

        /// The text from the name's opening quotation mark to the value, or an empty slice for elements.
        let head: ArraySlice<UInt8>

        var value: EditableJSON.Value

        /// The whitespace between the preceding comma and the item.
        var before: ArraySlice<UInt8>

        /// The whitespace between the item and the following comma.
        var after: ArraySlice<UInt8>
    }

    let isObject: Bool
    var items: [Item] = []

    /// The whitespace between the opening bracket and the first item.
    private(set) var opening: ArraySlice<UInt8> = []

    /// The whitespace between the last item and the closing bracket.
    private(set) var closing: ArraySlice<UInt8> = []

    /// The whitespace between the brackets of a container that was empty when it was parsed.
    private(set) var vacancy: ArraySlice<UInt8> = []

    /// The whitespace before new items.
    private var before: ArraySlice<UInt8> = []
    /// The whitespace after new items.
    private var after: ArraySlice<UInt8> = []
    private var colon: ArraySlice<UInt8> = [UInt8(ascii: ":")]

    /// Creates an empty object.
    init() { isObject = true }

    /// Opens a parsed container.
    ///
    /// Returns nil for other values.
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

    /// Derives the layout of new items from the existing items.
    private mutating func learnLayout() {
        guard let last = items.last else { return }
        if items.count > 1 {
            before = last.before
            after = items[items.count - 2].after
        } else {
            // In the usual style, `{"a": 1, "b": 2}`, the same whitespace follows commas and colons.
            before = opening.isEmpty ? colon.drop { $0 != UInt8(ascii: ":") }.dropFirst() : opening
        }
        items[0].before = before
        items[items.count - 1].after = after
    }
}

extension JSONSource {
    /// Returns the text between a token and the next token.
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

    /// Parses an array index in a pointer.
    ///
    /// Returns nil for other text, including numbers with leading zeros (RFC 6901, section 4).
    static func arrayIndex(_ component: String) -> Int? {
        Int(component).flatMap { $0 >= 0 && String($0) == component ? $0 : nil }
    }

    /// Parses the index for a new element: a number up to the number of elements, or `-` for the end.
    func newIndex(_ component: String) -> Int? {
        guard component != "-" else { return items.count }
        return Self.arrayIndex(component).flatMap { $0 <= items.count ? $0 : nil }
    }

    mutating func insert(_ value: EditableJSON.Value, at index: Int) {
        items.insert(Item(name: nil, head: [], value: value, before: before, after: after), at: index)
    }

    /// Appends a member.
    ///
    /// `quoted` is the JSON text of its name.
    mutating func append(_ value: EditableJSON.Value, named name: JSONString, quoted: [UInt8]) {
        items.append(Item(name: name, head: quoted + colon, value: value, before: before, after: after))
    }

    /// Removes all members with the given names.
    mutating func removeAll(named names: Set<JSONString>) {
        guard !names.isEmpty else { return }
        items.removeAll { $0.name.map(names.contains) ?? false }
    }
}
