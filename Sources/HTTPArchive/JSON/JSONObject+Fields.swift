extension JSONObject {
    /// The text of a field that is a string.
    func text(_ name: String) -> String? {
        guard let node else { return self[name]?.text }
        guard let value = node[name], value.kind == .string else { return nil }
        return value.string.text
    }

    /// The number of a field that is a number.
    func number(_ name: String) -> JSONNumber? {
        guard let node else { return self[name]?.number }
        guard let value = node[name], value.kind == .number else { return nil }
        return value.number
    }

    /// The value of a field that is a boolean.
    func bool(_ name: String) -> Bool? { self[name]?.bool }

    /// The object of a field that is one.
    func object(_ name: String) -> JSONObject? { self[name]?.object }

    /// The objects of a field that is an array; what is no object in it is passed over.
    func objects(_ name: String) -> [JSONObject]? {
        guard let node else { return self[name]?.array?.compactMap(\.object) }
        guard let value = node[name], value.kind == .array else { return nil }
        return value.elements.compactMap { $0.kind == .object ? JSONObject(node: $0) : nil }
    }
}
