import Foundation
import HTTPArchive

/// An operation in a GraphQL request (https://graphql.github.io/graphql-over-http/draft/#sec-Request).
struct GraphQLOperation: Hashable, Sendable {
    /// The name, or `nil` for an anonymous operation.
    let name: String?

    /// The document of an anonymous operation with normalized whitespace, or the document's hash; `nil` for a named
    /// operation.
    let document: String?

    let variables: JSONValue

    /// Returns the operations of a request, or `nil` if it is not a GraphQL request.
    ///
    /// Operations are read from a JSON body (a single operation or a batch), from the `operations` part of a multipart
    /// form, from an `application/graphql` body, or from the query if the request has no body.
    static func operations(of request: ComparedRequest) -> [GraphQLOperation]? {
        guard let body = request.body else { return GraphQLOperation(query: request.url).map { [$0] } }
        if request.bodyType?.essence == "application/graphql" {
            let document = String(decoding: body, as: UTF8.self)
            return GraphQLOperation(name: nil, document: document, hash: nil, variables: nil).map { [$0] }
        }
        if let value = try? JSONValue(parsing: body) { return operations(in: value) }
        guard let parts = MultipartBody(body, type: request.bodyType)?.parts,
            let content = parts.first(where: { $0.name == "operations" })?.content,
            let value = try? JSONValue(parsing: content)
        else { return nil }
        return operations(in: value)
    }

    private static func operations(in value: JSONValue) -> [GraphQLOperation]? {
        guard let batch = value.array else { return GraphQLOperation(value).map { [$0] } }
        let operations = batch.compactMap { GraphQLOperation($0) }
        return operations.isEmpty || operations.count < batch.count ? nil : operations
    }

    private init?(_ value: JSONValue) {
        self.init(
            name: value["operationName"]?.text, document: value["query"]?.text,
            hash: value["extensions"]?["persistedQuery"]?["sha256Hash"]?.text, variables: value["variables"])
    }

    private init?(query url: NormalizedURL) {
        let items = FormItems(Data((url.query ?? "").utf8)).values.compactMapValues(\.first)
        let document = items["query"]
        if let document, !Self.isDocument(document) { return nil }
        func json(_ name: String) -> JSONValue? { items[name].flatMap { try? JSONValue(parsing: $0) } }
        self.init(
            name: document == nil ? nil : items["operationName"], document: document,
            hash: json("extensions")?["persistedQuery"]?["sha256Hash"]?.text, variables: json("variables"))
    }

    private init?(name: String?, document: String?, hash: String?, variables: JSONValue?) {
        guard name != nil || document != nil || hash != nil else { return nil }
        let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? document.flatMap(Self.name(in:))
        self.name = name
        self.document =
            name == nil ? document.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") } ?? hash : nil
        let hasVariables = variables != nil && variables != .null && variables?.object?.members.isEmpty != true
        self.variables = hasVariables ? variables ?? .null : .null
    }

    /// Whether a string starts like a GraphQL document.
    private static func isDocument(_ text: String) -> Bool {
        let text = text.drop { $0.isWhitespace }
        return ["{", "#", "query", "mutation", "subscription", "fragment"].contains { text.hasPrefix($0) }
    }

    /// Returns the name of the first operation in a document, or `nil` if it has none.
    private static func name(in document: String) -> String? {
        var rest = Substring(document)
        rest = rest.drop { $0.isWhitespace || $0 == "," }
        while rest.first == "#" {
            rest = rest.drop { !$0.isNewline }.drop { $0.isWhitespace || $0 == "," }
        }
        let keyword = rest.prefix { isOfName($0) }
        guard ["query", "mutation", "subscription"].contains(keyword) else { return nil }
        let name = rest[keyword.endIndex...].drop { $0.isWhitespace }.prefix { isOfName($0) }
        return name.isEmpty ? nil : String(name)
    }

    /// Whether a character is valid in a name (https://spec.graphql.org/October2021/#Name).
    static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
}
