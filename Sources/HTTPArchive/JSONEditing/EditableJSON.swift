/// A document that is being edited.
///
/// Only the containers on the path to an edit are opened. Everything else remains text.
///
/// Containers refer to each other by index, so traversing deep documents requires no recursion.
struct EditableJSON: Sendable {
    /// A value: an unopened node, or the index of an opened container.
    enum Value: Sendable {
        case unopened(JSONNode)
        case opened(Int)
    }

    /// The location of a value.
    enum Slot {
        case root
        case item(Int, of: Int)
    }

    private var root: Value
    private(set) var containers: [EditableJSONContainer] = []

    /// Whether new text may contain non-ASCII characters.
    private let isUTF8: Bool

    init(_ node: JSONNode, isUTF8: Bool) {
        root = .unopened(node)
        self.isUTF8 = isUTF8
    }

    subscript(slot: Slot) -> Value {
        get {
            switch slot {
            case .root: root
            case .item(let index, let container): containers[container].items[index].value
            }
        }
        set {
            switch slot {
            case .root: root = newValue
            case .item(let index, let container): containers[container].replaceValue(at: index, with: newValue)
            }
        }
    }

    /// Opens a container.
    ///
    /// - Returns: The index of the container, or nil for other values.
    mutating func open(_ slot: Slot) -> Int? {
        switch self[slot] {
        case .opened(let container):
            return container
        case .unopened(let node):
            guard let container = EditableJSONContainer(node) else { return nil }
            return fill(slot, with: container)
        }
    }

    /// Returns the slot of a member's value, appending the member if `index` is nil.
    mutating func openMember(_ name: JSONString, at index: Int?, of container: Int) -> Slot {
        if let index { return .item(index, of: container) }
        append(.unopened(Self.null), named: name, to: container)
        return .item(containers[container].items.count - 1, of: container)
    }

    /// The value of a new member until it is set.
    private static let null = JSONSource(
        bytes: Array("null".utf8), tokens: [JSONToken(kind: .null, end: 4)], offset: 0
    ).root

    /// Opens an object, or replaces any other value with an empty object.
    mutating func openObject(_ slot: Slot) -> Int {
        if let container = open(slot), containers[container].isObject { return container }
        return fill(slot, with: EditableJSONContainer())
    }

    private mutating func fill(_ slot: Slot, with container: EditableJSONContainer) -> Int {
        containers.append(container)
        self[slot] = .opened(containers.count - 1)
        return containers.count - 1
    }

    // MARK: Changes within a container

    mutating func insert(_ value: Value, at index: Int, of container: Int) {
        containers[container].insert(value, at: index)
    }

    mutating func append(_ value: Value, named name: JSONString, to container: Int) {
        containers[container].append(value, named: name, quoted: text(of: .string(name)))
    }

    mutating func remove(at index: Int, of container: Int) { containers[container].remove(at: index) }

    mutating func removeAll(named names: Set<JSONString>, of container: Int) {
        containers[container].removeAll(named: names)
    }
}

extension EditableJSON {
    /// Returns the text of a new value.
    ///
    /// Parsed objects keep their original text, and everything else is compact.
    func text(of value: JSONValue) -> [UInt8] {
        let text = JSONGenerator.text(of: value, layout: .unchanged, isIndented: false)
        return isUTF8 ? text : JSONText.inASCII(text)
    }

    /// Returns a node for a new value.
    ///
    /// - Throws: `limitExceeded` if the text is larger than 4 GiB.
    func node(_ value: JSONValue) throws(HARError) -> JSONNode {
        try JSONSource.parsing(written: text(of: value)).root
    }

    /// Returns the node of an unopened value, or a node for the generated text of an opened container.
    ///
    /// - Throws: `limitExceeded` if the text is larger than 4 GiB.
    func node(_ value: Value) throws(HARError) -> JSONNode {
        if case .unopened(let node) = value { return node }
        return try JSONSource.parsing(written: text(of: value)).root
    }

    /// The text of the document.
    var text: [UInt8] { text(of: root) }

    /// Returns the text of a value.
    private func text(of value: Value) -> [UInt8] {
        var text: [UInt8] = []
        var open: [(container: Int, index: Int)] = []
        write(value, to: &text, pushingOn: &open)
        while let (number, index) = open.popLast() {
            let container = containers[number]
            guard index < container.items.count else {
                text += index == 0 ? container.vacancy : container.closing
                text.append(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                continue
            }
            let item = container.items[index]
            if index == 0 {
                text += container.opening
            } else {
                text += container.items[index - 1].after
                text.append(UInt8(ascii: ","))
                text += item.before
            }
            text += item.head
            open.append((number, index + 1))
            write(item.value, to: &text, pushingOn: &open)
        }
        return text
    }

    /// Writes an unopened value, or the opening bracket of an opened container.
    private func write(_ value: Value, to text: inout [UInt8], pushingOn open: inout [(container: Int, index: Int)]) {
        switch value {
        case .unopened(let node):
            text += node.source.bytes[node.range]
        case .opened(let number):
            text.append(containers[number].isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
            open.append((number, 0))
        }
    }
}
