extension JSONObject {
    /// The text of a field that is a string.
    func text(_ name: StaticString) -> String? {
        Self.field(name, of: storage, read: { $0.text(at: $1) }, orOf: { $0.text })
    }

    /// The integer of a field that is a number.
    func int(_ name: StaticString) -> Int? {
        Self.field(name, of: storage, read: { $0.int(at: $1) }, orOf: { $0.int })
    }

    /// The `Double` of a field that is a number.
    func double(_ name: StaticString) -> Double? {
        Self.field(name, of: storage, read: { $0.double(at: $1) }, orOf: { $0.double })
    }

    /// The value of a field that is a boolean.
    func bool(_ name: StaticString) -> Bool? {
        Self.field(name, of: storage, read: { $0.bool(at: $1) }, orOf: { $0.bool })
    }

    /// The object of a field that is one.
    func object(_ name: StaticString) -> JSONObject? {
        Self.field(name, of: storage, read: { $0.object(at: $1) }, orOf: { $0.object })
    }

    /// What `transform` makes of the objects of a field that is an array; what is no object in it is passed over.
    func objects<Element>(_ name: StaticString, _ transform: (JSONObject) -> Element) -> [Element]? {
        Self.field(
            name, of: storage,
            read: { source, place in
                guard source.tokens[place].kind == .array else { return nil }
                var objects: [Element] = []
                source.forEachElement(of: place) { element in
                    if let object = source.object(at: element) { objects.append(transform(object)) }
                }
                return objects
            },
            orOf: { $0.array?.compactMap { $0.object.map(transform) } })
    }

    /// Reads a field where it stands in a source, or else from its value.
    ///
    /// The storage is borrowed, and there is no node on the way: to count a reference to the source takes as long as to
    /// decode a short text.
    @inline(__always)
    private static func field<Value>(
        _ name: StaticString, of storage: borrowing Storage, read: (JSONSource, Int) -> Value?,
        orOf value: (JSONValue) -> Value?
    ) -> Value? {
        switch storage {
        case .parsed(let node):
            guard let place = node.source.member(name, of: node.index) else { return nil }
            return read(node.source, place)
        case .members(let members):
            return JSONObject(members: members)[name.description].flatMap(value)
        }
    }
}
