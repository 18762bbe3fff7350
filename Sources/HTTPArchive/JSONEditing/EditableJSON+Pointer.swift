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
            insert(.unopened(node), at: index, of: number)
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
                removeAll(named: [name], of: number)
            } else {
                remove(at: index, of: number)
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
            return switch node.kind {
            case .null: "null"
            case .true, .false: "a boolean"
            case .number: "a number"
            case .string, .key: "a string"
            case .object, .array, .close: "a container"
            }
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
