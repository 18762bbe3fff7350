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
    var containers: [EditableJSONContainer] = []

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
            case .item(let index, let container): containers[container].items[index].value = newValue
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

    mutating func append(_ value: Value, named name: JSONString, to container: Int) {
        containers[container].append(value, named: name, quoted: text(of: .string(name)))
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

extension EditableJSON {
    /// A way to store a value at a location.
    enum Placement {
        /// Replaces an existing value, adds a member, or appends an element.
        case set

        /// Replaces or adds a member, or inserts an element.
        case insert

        /// Replaces an existing value.
        case replace
    }

    /// The maximum depth of documents, equal to the limit for reading.
    private static let depthLimit = JSONScanner.Limits().depth

    /// Returns the location of a value.
    ///
    /// - Throws: `editFailed` with the part of the pointer that exists.
    mutating func slot(at pointer: JSONPointer) throws(HARError) -> Slot {
        try slot(at: pointer, length: pointer.components.count)
    }

    /// Returns the location of the value at the first `length` components of a pointer.
    private mutating func slot(at pointer: JSONPointer, length: Int) throws(HARError) -> Slot {
        var slot = Slot.root
        for (depth, component) in pointer.components.prefix(length).enumerated() {
            guard let container = open(slot), let index = containers[container].index(of: component) else {
                throw missing(pointer, knownLength: depth, in: slot)
            }
            slot = .item(index, of: container)
        }
        return slot
    }

    /// Stores a value at a pointer.
    ///
    /// - Throws: `editFailed` with the part of the pointer that exists, or `limitExceeded` beyond 512 levels.
    mutating func put(_ node: JSONNode, at pointer: JSONPointer, _ placement: Placement) throws(HARError) {
        guard pointer.components.count + node.depth <= Self.depthLimit else {
            throw HARError(
                .limitExceeded, "The document would be nested more than \(Self.depthLimit) levels deep.",
                at: .init(pointer: pointer))
        }
        guard let name = pointer.components.last else {
            self[.root] = .unopened(node)
            return
        }
        let parent = try slot(at: pointer, length: pointer.components.count - 1)
        guard let number = open(parent) else {
            throw missing(pointer, knownLength: pointer.components.count - 1, in: parent)
        }
        // Edit the container in place. Editing a local copy would copy all items.
        let isObject = containers[number].isObject
        if let index = containers[number].index(of: name), isObject || placement != .insert {
            self[.item(index, of: number)] = .unopened(node)
        } else if isObject, placement != .replace {
            append(.unopened(node), named: JSONString(name), to: number)
        } else if !isObject, placement != .replace, let index = containers[number].newIndex(name) {
            containers[number].insert(.unopened(node), at: index)
        } else {
            throw missing(pointer, knownLength: pointer.components.count - 1, in: parent)
        }
    }

    /// Removes the value at a pointer.
    ///
    /// If the value belongs to a member, all members with the same name are removed.
    ///
    /// - Throws: `editFailed` with the part of the pointer that exists.
    mutating func remove(at pointer: JSONPointer) throws(HARError) {
        switch try slot(at: pointer) {
        case .root:
            throw HARError(
                .editFailed, "The whole document cannot be removed. Replace it instead.", at: .init(pointer: pointer))
        case .item(let index, let number):
            if let name = containers[number].items[index].name {
                containers[number].removeAll(named: [name])
            } else {
                containers[number].items.remove(at: index)
            }
        }
    }

    /// Returns the error for a pointer to a missing value.
    ///
    /// Only the first `knownLength` components exist.
    private func missing(_ pointer: JSONPointer, knownLength: Int, in slot: Slot) -> HARError {
        let known = knownLength == 0 ? "the document" : "\(JSONPointer(Array(pointer.components.prefix(knownLength))))"
        let wanted = JSONPointer(Array(pointer.components.prefix(knownLength + 1)))
        let beginning = knownLength == 0 ? "\(wanted) does not exist" : "\(known) exists, but \(wanted) does not"
        return HARError(
            .editFailed, "\(beginning): \(known) is \(kindName(of: self[slot])).", at: .init(pointer: pointer))
    }

    private func kindName(of value: Value) -> String {
        switch value {
        case .opened(let number):
            let container = containers[number]
            if container.isObject { return "an object without that member" }
            return "an array of \(container.items.count) element\(container.items.count == 1 ? "" : "s")"
        case .unopened(let node):
            // Only containers can be opened.
            return node.kind.title
        }
    }
}

extension JSONNode {
    /// The depth of nested containers, including this value.
    var depth: Int {
        var depth = 0
        var deepest = 0
        for token in source.tokens[index..<next] {
            switch token.kind {
            case .object, .array: depth += 1
            case .close: depth -= 1
            default: continue
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }
}
