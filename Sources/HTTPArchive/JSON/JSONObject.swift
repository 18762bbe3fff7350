/// A JSON object that preserves the order of its members and duplicate names.
///
/// A parsed object refers to its source text and decodes members on demand. Member lookup takes linear time.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public var name: JSONString

        /// The value.
        public var value: JSONValue

        /// Creates a member.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        public init(name: JSONString, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    enum Storage {
        case parsed(JSONNode)
        case members([Member])
    }

    private(set) var storage: Storage

    /// Creates an object.
    ///
    /// - Parameter members: The members, in order; none by default.
    public init(members: [Member] = []) {
        storage = .members(members)
    }

    /// Creates an object that refers to the text from which it was parsed.
    package init(node: JSONNode) {
        storage = .parsed(node)
    }

    /// The node from which the object was parsed, or nil if the object was created or changed in code.
    package var node: JSONNode? {
        if case .parsed(let node) = storage { node } else { nil }
    }

    /// The members, in order.
    public var members: [Member] {
        get {
            switch storage {
            case .members(let members):
                return members
            case .parsed(let node):
                var members: [Member] = []
                node.forEachMember { key, value in
                    members.append(Member(name: key.string, value: value.value))
                    return true
                }
                return members
            }
        }
        set { storage = .members(newValue) }
    }

    /// Returns whether the object has a member with the given name, without decoding its value.
    ///
    /// - Parameter name: The name of the member.
    /// - Returns: Whether the object has the member.
    package func contains(_ name: String) -> Bool {
        switch storage {
        case .parsed(let node): node[name] != nil
        case .members(let members): members.contains { $0.name == JSONString(name) }
        }
    }

    /// Returns the same object with its members decoded, which takes time only once.
    ///
    /// - Parameter depth: The depth up to which objects inside are decoded, too.
    /// - Returns: The object.
    func decoded(depth: Int) -> JSONObject {
        JSONObject(members: members.map { Member(name: $0.name, value: $0.value.decoded(depth: depth - 1)) })
    }

    /// The byte range of the object's text in the file, or nil if the object was created or changed in code.
    public var byteRange: Range<Int>? { node?.documentRange }

    /// The value of the last member with the given name.
    ///
    /// Setting a value replaces the value of that member, or appends a member if it is missing. Setting nil removes all
    /// members with the name.
    ///
    /// - Parameter name: The name of the member.
    public subscript(name: String) -> JSONValue? {
        get {
            switch storage {
            case .parsed(let node): node[name]?.value
            case .members(let members): members.last { $0.name == JSONString(name) }?.value
            }
        }
        set {
            let name = JSONString(name)
            var members = members
            let index = members.lastIndex { $0.name == name }
            if newValue == nil, index == nil { return }
            // Without another reference, the array is changed in place.
            storage = .members([])
            switch (newValue, index) {
            case (let value?, let index?): members[index].value = value
            case (let value?, nil): members.append(Member(name: name, value: value))
            case (nil, _): members.removeAll { $0.name == name }
            }
            self.members = members
        }
    }
}

extension JSONObject: Hashable {
    /// Returns whether two objects have equal members in the same order.
    public static func == (first: JSONObject, second: JSONObject) -> Bool {
        if let node = first.node, let other = second.node, node.source === other.source, node.index == other.index {
            return true
        }
        return first.members == second.members
    }

    /// Hashes the members.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object with the members of the literal, in order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(members: elements.map { Member(name: JSONString($0), value: $1) })
    }
}

extension JSONObject {
    /// Returns the text of a field, or nil if the field is missing or not a string.
    package func text(_ name: StaticString) -> String? {
        Self.field(name, of: storage, read: { $0.text(at: $1) }, orOf: { $0.text })
    }

    /// Returns the first bytes of the text of a field, at least 64 if it has so many, without decoding the rest, or nil if
    /// the field is missing or not a string.
    package func textStart(_ name: StaticString) -> [UInt8]? {
        Self.field(
            name, of: storage, read: { $0.textStart(at: $1) }, orOf: { $0.text.map { Array($0.utf8.prefix(64)) } })
    }

    /// Returns the text of a field in UTF-8, or nil if the field is missing or not a string.
    ///
    /// The bytes are not validated.
    package func textBytes(_ name: StaticString) -> [UInt8]? {
        Self.field(name, of: storage, read: { $0.textBytes(at: $1) }, orOf: { $0.text.map { Array($0.utf8) } })
    }

    /// Returns the integer in a field, which can be written as a string, or nil if the field is missing or not an integer.
    package func int(_ name: StaticString) -> Int? {
        Self.field(name, of: storage, read: { $0.int(at: $1) }, orOf: { $0.writtenNumber?.int })
    }

    /// Returns the number in a field, which can be written as a string, or nil if the field is missing or not a number.
    package func double(_ name: StaticString) -> Double? {
        Self.field(name, of: storage, read: { $0.double(at: $1) }, orOf: { $0.writtenNumber?.double })
    }

    /// Returns the boolean in a field, or nil if the field is missing or not a boolean.
    func bool(_ name: StaticString) -> Bool? {
        Self.field(name, of: storage, read: { $0.bool(at: $1) }, orOf: { $0.bool })
    }

    /// Returns the object in a field, or nil if the field is missing or not an object.
    func object(_ name: StaticString) -> JSONObject? {
        Self.field(name, of: storage, read: { $0.object(at: $1) }, orOf: { $0.object })
    }

    /// Returns the transformed objects of an array field, skipping other elements.
    ///
    /// Returns nil if the field is not an array.
    func objects<Element>(_ name: StaticString, _ transform: (JSONObject) -> Element) -> [Element]? {
        Self.field(
            name, of: storage,
            read: { source, offset in
                guard source.tokens[offset].kind == .array else { return nil }
                // Counting the elements takes less time than growing the array.
                var count = 0
                source.forEachElement(of: offset) { _ in count += 1 }
                var objects: [Element] = []
                objects.reserveCapacity(count)
                source.forEachElement(of: offset) { element in
                    if let object = source.object(at: element) { objects.append(transform(object)) }
                }
                return objects
            },
            orOf: { $0.array?.compactMap { $0.object.map(transform) } })
    }

    /// Reads a field from the source of a parsed object, or from the members of another object.
    ///
    /// This method borrows the storage and creates no node, because retaining the source takes as long as decoding a
    /// short string.
    @inline(__always)
    private static func field<Value>(
        _ name: StaticString, of storage: borrowing Storage, read: (JSONSource, Int) -> Value?,
        orOf value: (JSONValue) -> Value?
    ) -> Value? {
        switch storage {
        case .parsed(let node):
            guard let offset = node.source.member(name, of: node.index) else { return nil }
            return read(node.source, offset)
        case .members(let members):
            return JSONObject(members: members)[name.description].flatMap(value)
        }
    }
}
