public import HTTPArchive

extension Shape {
    /// The shape as JSON Schema (https://json-schema.org/draft/2020-12/schema), which all described values satisfy.
    ///
    /// Members that all objects have are required. Redacted values may have any type.
    public var jsonSchema: JSONValue { schema(named: "") }

    /// Returns the schema.
    ///
    /// - Parameter name: The name of the member, which determines whether few values are an enumeration.
    /// - Returns: The schema.
    func schema(named name: String) -> JSONValue {
        var schema: JSONObject = [:]
        if placeholderCount > 0 { return .object(schema) }
        var types = kinds.filter { $0 != .null }.map { kind in
            kind == .number && hasOnlyIntegers ? "integer" : kind.rawValue
        }
        if nullCount > 0 { types.append("null") }
        if types.count == 1 {
            schema["type"] = .string(JSONString(types[0]))
        } else if !types.isEmpty {
            schema["type"] = .array(types.map { .string(JSONString($0)) })
        }
        if strings.count > 0 {
            let isOnly = types.allSatisfy { $0 == "string" || $0 == "null" }
            if isOnly, strings.isEnumeration(named: name), strings.emptyCount == 0 {
                let values = strings.values.map(\.text).sorted().map { JSONValue.string(JSONString($0)) }
                schema["enum"] = .array(values + (nullCount > 0 ? [.null] : []))
            } else if strings.emptyCount == 0, let format = strings.format, format != .number {
                schema["format"] = .string(JSONString(format.rawValue))
            }
        }
        if arrayCount > 0 { schema["items"] = element.schema(named: name) }
        guard let objects else { return .object(schema) }
        if let value = objects.mapValue {
            schema["additionalProperties"] = value.schema(named: "")
            return .object(schema)
        }
        var properties: JSONObject = [:]
        for member in objects.all { properties[member.name] = member.shape.schema(named: member.name) }
        schema["properties"] = .object(properties)
        let required = objects.all.filter(objects.requires).map { JSONValue.string(JSONString($0.name)) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return .object(schema)
    }
}
