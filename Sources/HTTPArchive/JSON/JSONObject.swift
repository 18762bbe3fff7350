/// A JSON object: members in their order, names that stand twice included.
///
/// An object that was read is a place in the text it was read from; a member is decoded when it is asked for.
/// Finding a member takes time in proportion to the object's text.
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
    /// - Parameter members: The members in their order; none by default.
    public init(members: [Member] = []) {
        storage = .members(members)
    }

    /// Takes an object of a text that was read.
    init(node: JSONNode) {
        storage = .parsed(node)
    }

    /// The place that the object was read from; `nil` once it was changed, and for an object made by code.
    var node: JSONNode? {
        if case .parsed(let node) = storage { node } else { nil }
    }

    /// The members in their order.
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

    /// The place of the object's text in the file it was read from, in bytes; `nil` once the object was changed, and for
    /// an object made by code.
    public var byteRange: Range<Int>? { node?.documentRange }

    /// The value of the member of that name, the last one where a name stands twice.
    ///
    /// Setting a value replaces that member's, or appends a member; `nil` removes every member of that name.
    ///
    /// - Parameter name: The member's name.
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
            switch (newValue, index) {
            case (let value?, let index?): members[index].value = value
            case (let value?, nil): members.append(Member(name: name, value: value))
            case (nil, .some): members.removeAll { $0.name == name }
            case (nil, nil): return
            }
            self.members = members
        }
    }
}

extension JSONObject: Hashable {
    /// Whether both have equal members in the same order.
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
    /// Creates an object whose members stand in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(members: elements.map { Member(name: JSONString($0), value: $1) })
    }
}
