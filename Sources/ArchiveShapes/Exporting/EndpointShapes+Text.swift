public import HTTPArchive

extension EndpointShapes {
    /// The endpoints as JSON Schema, with a definition for the body of each kind of request and response.
    ///
    /// Source: https://json-schema.org/draft/2020-12/schema
    public var jsonSchema: JSONValue {
        var definitions: JSONObject = [:]
        var names = UniqueNames()
        for body in jsonBodies {
            guard var schema = body.shape.jsonSchema.object else { continue }
            schema["description"] = .string(JSONString(body.title))
            definitions[names.name(for: body.name)] = .object(schema)
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": .object(definitions),
        ]
    }

    /// The shapes of JSON bodies, with names for types.
    var jsonBodies: [(name: String, title: String, shape: Shape)] {
        endpoints.flatMap { endpoint -> [(name: String, title: String, shape: Shape)] in
            let base = TypeName.type(for: endpoint.name)
            var bodies: [(name: String, title: String, shape: Shape)] = []
            if endpoint.body.kinds[.json] != nil {
                bodies.append((base + "Request", "The body of \(endpoint.title).", endpoint.body.json))
            }
            for (status, response) in endpoint.responses.sorted(by: { $0.key < $1.key })
            where response.kinds[.json] != nil {
                bodies.append(
                    (
                        base + (status / 100 == 2 ? "" : String(status)) + "Response",
                        "The body of responses to \(endpoint.title), status \(status).", response.json
                    ))
            }
            return bodies
        }
    }

    /// The endpoints as lines of text, with one line for each member.
    package var lines: [String] {
        endpoints.flatMap { endpoint -> [String] in
            var lines = ["\(endpoint.title)  \(endpoint.count) \(endpoint.count == 1 ? "entry" : "entries")"]
            for (name, parameter) in endpoint.query.sorted(by: { $0.key < $1.key }) {
                lines.append("  ?\(name)\(parameter.count < endpoint.count ? "?" : "")  \(parameter.shape)")
            }
            if endpoint.body.count > 0 { lines += Self.lines(of: endpoint.body, titled: "request body") }
            for (status, response) in endpoint.responses.sorted(by: { $0.key < $1.key }) {
                lines += Self.lines(of: response, titled: String(status))
            }
            return lines
        }
    }

    private static func lines(of message: MessageShape, titled title: String) -> [String] {
        let kinds = message.kinds.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map(
            \.key.rawValue)
        var lines = ["  \(title)  \(kinds.isEmpty ? "unknown body" : kinds.joined(separator: " or "))"]
        message.json.appendLines(to: &lines, path: "", isOptional: false)
        return lines
    }
}

extension Shape {
    /// Appends a line for the value and for each value in it.
    fileprivate func appendLines(to lines: inout [String], path: String, isOptional: Bool) {
        if isEmpty { return }
        lines.append("    \(path.isEmpty ? "/" : path)\(isOptional ? "?" : "")  \(summary)")
        element.appendLines(to: &lines, path: path + "/*", isOptional: false)
        guard let objects else { return }
        if let value = objects.mapValue { return value.appendLines(to: &lines, path: path + "/*", isOptional: false) }
        for member in objects.all {
            let name = JSONPointer([member.name]).description
            member.shape.appendLines(to: &lines, path: path + name, isOptional: !objects.requires(member))
        }
    }

    /// The types without the members and elements, which have separate lines.
    private var summary: String {
        var outer = self
        outer.elements = []
        if outer.objects?.mapValue == nil, let count = objects?.count {
            outer.objects = Members()
            outer.objects?.count = count
        }
        return outer.description
    }
}
