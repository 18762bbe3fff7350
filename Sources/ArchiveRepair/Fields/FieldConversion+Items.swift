import ArchiveChecking
import HTTPArchive

/// Header fields, cookies and parameters with other names, and bodies as arrays of bytes.
extension FieldConversion {
    /// The names that other tools use for `name` and `value`, in lowercase.
    private static let nameKeys = ["name", "key", "header", "field"]
    private static let valueKeys = ["value", "val"]

    /// Converts an object that represents header fields, cookies or parameters in another form.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - kind: The kind of the list's elements.
    /// - Returns: The elements, or nil if the object has the required form, or no known one.
    static func items(in object: JSONObject, _ kind: HARObjectKind) -> [JSONObject]? {
        switch kind {
        case .header, .cookie, .queryParameter, .parameter: break
        default: return nil
        }
        guard let renamed = renamed(object) ?? (object["name"] == nil ? nil : object) else {
            return single(object, kind)
        }
        guard let values = renamed["value"]?.array, !values.isEmpty, values.allSatisfy(isScalar) else {
            return renamed == object ? nil : [renamed]
        }
        return values.map { value in
            var item = renamed
            item["value"] = value
            return item
        }
    }

    /// Returns an object with its name and value under the names of HAR, or nil if it has no other names.
    private static func renamed(_ object: JSONObject) -> JSONObject? {
        guard object["name"] == nil || object["value"] == nil else { return nil }
        var members = object.members
        var isChanged = false
        for (name, keys) in [("name", nameKeys), ("value", valueKeys)] as [(JSONString, [String])] {
            guard !members.contains(where: { $0.name == name }) else { continue }
            let matches = members.indices.filter { keys.contains(members[$0].name.text.lowercased()) }
            guard let index = matches.first, matches.count == 1, isScalar(members[index].value) || name == "value"
            else {
                continue
            }
            members[index].name = name
            isChanged = true
        }
        guard isChanged, members.contains(where: { $0.name == "name" }) else { return nil }
        return JSONObject(members: members)
    }

    /// Converts an object whose members are names and values, such as `{"Accept":"*/*"}`.
    private static func single(_ object: JSONObject, _ kind: HARObjectKind) -> [JSONObject]? {
        let members = object.members
        guard !members.isEmpty,
            members.allSatisfy({ member in
                kind.table.field(named: member.name.text) == nil && !member.name.text.hasPrefix("_")
                    && (isScalar(member.value) || member.value.array?.allSatisfy(isScalar) == true)
            })
        else { return nil }
        return pairs(in: object).compactMap(\.object)
    }

    private static func isScalar(_ value: JSONValue) -> Bool { value.array == nil && value.object == nil }

    /// Returns the bytes of a body that was recorded as an array or as a `Buffer` of Node, or nil for any other value.
    ///
    /// An array of small numbers can also be a body in JSON.
    ///
    /// - Parameters:
    ///   - value: The text of the body.
    ///   - body: The object that contains it.
    /// - Returns: The bytes.
    static func bytes(_ value: JSONValue, in body: JSONObject) -> [UInt8]? {
        if let object = value.object {
            guard object.text("type") == "Buffer", let data = object["data"]?.array else { return nil }
            return bytes(data)
        }
        guard let elements = value.array, !elements.isEmpty, let bytes = bytes(elements) else { return nil }
        let isJSON = body.text("mimeType")?.lowercased().contains("json") == true
        return isJSON && body["size"]?.int != bytes.count ? nil : bytes
    }

    private static func bytes(_ elements: [JSONValue]) -> [UInt8]? {
        let bytes = elements.compactMap { $0.int.flatMap { UInt8(exactly: $0) } }
        return bytes.count == elements.count ? bytes : nil
    }
}
