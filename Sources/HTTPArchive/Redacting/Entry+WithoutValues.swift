extension HAR.Entry {
    /// Returns this entry without the values that another entry contains in the same location with the same text.
    ///
    /// The secrets in a value depend only on its text and its location, so both entries together contain no more secrets
    /// than the other entry and the result.
    ///
    /// - Parameter other: The other entry.
    /// - Returns: The fields of this entry, its request and its response that differ; all fields of an entry that was
    ///   changed in code.
    package func withoutValues(of other: HAR.Entry) -> HAR.Entry {
        HAR.Entry(fields: fields.withoutValues(of: other.fields, depth: 2))
    }
}

extension JSONObject {
    /// Returns this object without the values that another object contains in the same location with the same text.
    ///
    /// - Parameters:
    ///   - other: The other object.
    ///   - depth: The depth of the objects whose members are compared.
    /// - Returns: The other values.
    fileprivate func withoutValues(of other: JSONObject, depth: Int) -> JSONObject {
        guard depth > 0, let node, let otherNode = other.node else { return self }
        var members: [Member] = []
        node.forEachMember { key, value in
            let name = key.string
            let same = otherNode[name.text]
            if let same, value.withBytes({ text in same.withBytes { text.isEqual(to: $0) } }) { return true }
            if value.kind == .object, let same, same.kind == .object {
                let object = JSONObject(node: value).withoutValues(of: JSONObject(node: same), depth: depth - 1)
                members.append(Member(name: name, value: .object(object)))
            } else {
                members.append(Member(name: name, value: value.value))
            }
            return true
        }
        return JSONObject(members: members)
    }
}
