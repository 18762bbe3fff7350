import Foundation
public import HTTPArchive

extension EndpointShapes {
    /// The endpoints as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0).
    ///
    /// Operations of GraphQL and JSON-RPC, which share a method and path, are one operation. The statuses that were not
    /// recorded are described as a default response with any content.
    public var openAPI: JSONValue {
        var paths: JSONObject = [:]
        var names = UniqueNames()
        for group in groups {
            let (path, parameters) = Self.path(of: group.key.path)
            var item = paths[path]?.object ?? [:]
            item[group.key.method.lowercased()] = operation(group, parameters, named: names.name(for: group.name))
            if servers.count > 1 {
                item["servers"] = [["url": .string(JSONString(group.key.origin))]]
            }
            paths[path] = .object(item)
        }
        let title = servers.first.map { LiteralURL($0).host } ?? "Archive"
        return [
            "openapi": "3.1.0",
            "info": ["title": .string(JSONString(String(title))), "version": "1"],
            "servers": .array(servers.map { ["url": .string(JSONString($0))] }),
            "paths": .object(paths),
        ]
    }

    /// The methods that OpenAPI allows (https://spec.openapis.org/oas/v3.1.0#path-item-object).
    private static let methods: Set = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]

    /// The endpoints that OpenAPI can describe; those with the same method and path are merged.
    private var groups: [Endpoint] {
        var groups: [Endpoint] = []
        var indices: [String: Int] = [:]
        for endpoint in endpoints where Self.methods.contains(endpoint.key.method) {
            // OpenAPI distinguishes neither origins nor operations.
            let name = endpoint.key.method + " " + endpoint.key.path
            if let index = indices[name] {
                groups[index].merge(endpoint)
            } else {
                indices[name] = groups.count
                groups.append(endpoint)
            }
        }
        return groups
    }

    private var servers: [String] {
        var known: Set<String> = []
        return endpoints.map(\.key.origin).filter { known.insert($0).inserted }
    }

    /// Returns a path with a distinct name for each parameter, and these names.
    private static func path(of template: String) -> (path: String, parameters: [String]) {
        var names: [String] = []
        let segments = template.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            // Other braces would be parameters.
            guard segment == "{id}" else {
                return segment.replacingOccurrences(of: "{", with: "%7B").replacingOccurrences(of: "}", with: "%7D")
            }
            names.append(names.isEmpty ? "id" : "id\(names.count + 1)")
            return "{\(names[names.count - 1])}"
        }
        return (segments.joined(separator: "/"), names)
    }

    private func operation(_ endpoint: Endpoint, _ pathParameters: [String], named name: String) -> JSONValue {
        var parameters: [JSONValue] = pathParameters.map {
            ["name": .string(JSONString($0)), "in": "path", "required": true, "schema": ["type": "string"]]
        }
        for (name, parameter) in endpoint.query.sorted(by: { $0.key < $1.key }) {
            parameters.append([
                "name": .string(JSONString(name)), "in": "query", "required": .bool(parameter.count >= endpoint.count),
                "schema": parameter.shape.schema(named: name),
            ])
        }
        var operation: JSONObject = ["operationId": .string(JSONString(name))]
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if endpoint.body.count > 0 {
            operation["requestBody"] = [
                "required": .bool(endpoint.body.count >= endpoint.count), "content": endpoint.body.content,
            ]
        }
        var responses: JSONObject = [:]
        for (status, response) in endpoint.responses.sorted(by: { $0.key < $1.key }) where 100..<600 ~= status {
            var object: JSONObject = ["description": .string(JSONString("\(response.count) recorded"))]
            if response.types.isEmpty == false, endpoint.key.method != "HEAD" { object["content"] = response.content }
            responses[String(status)] = .object(object)
        }
        responses["default"] = ["description": "not recorded"]
        operation["responses"] = .object(responses)
        return .object(operation)
    }
}

extension MessageShape {
    /// The media types with their schemas.
    fileprivate var content: JSONValue {
        var content: JSONObject = [:]
        for (type, kind) in types.sorted(by: { $0.key < $1.key }) {
            content[type] = kind == .json ? ["schema": json.schema(named: "")] : [:]
        }
        return .object(content)
    }
}

extension Endpoint {
    fileprivate mutating func merge(_ other: Endpoint) {
        count += other.count
        body.merge(other.body)
        for (status, response) in other.responses { responses[status, default: MessageShape()].merge(response) }
        for (name, parameter) in other.query {
            query[name, default: Parameter()].count += parameter.count
            query[name]?.shape.merge(parameter.shape)
        }
    }

    /// The method and the words of the path in camel case, such as `getItemsById`.
    var name: String {
        var words = [key.method.lowercased()]
        for segment in key.path.split(separator: "/") {
            if segment == "{id}" { words += ["by", "id"] } else { words += TypeName.words(of: String(segment)) }
        }
        if let operation = key.operation { words += TypeName.words(of: operation) }
        return TypeName.camelCase(words)
    }
}
