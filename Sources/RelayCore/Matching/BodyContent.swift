import Foundation
import HTTPArchive

/// The content of a body, parsed for comparison.
enum BodyContent: Sendable {
    /// A missing or empty body.
    case none

    /// A body that is missing from the archive. It does not match any body.
    case notCaptured

    case bytes(Data)
    case json(JSONValue, ignoring: [JSONPointer])

    /// A form. Its item names are reliable only if the request or the matcher declares it as a form (`isDeclared`).
    case form(FormItems, isDeclared: Bool)

    case multipart([MultipartBody.Part])

    /// The operations of a GraphQL request.
    case operations([GraphQLOperation])

    /// The query and body of a request that is not a GraphQL request.
    indirect case other(NormalizedURL, BodyContent)

    /// Adds the content to a digest.
    func add(to maker: inout DigestMaker) {
        maker.add(kind)
        switch self {
        case .none, .notCaptured: break
        case .bytes(let bytes): maker.add(bytes)
        case .json(let value, let ignored): maker.add(value.canonicalText(ignoring: ignored))
        case .form(let items, _): maker.add(items)
        case .multipart(let parts):
            maker.add(parts.count)
            for part in parts {
                maker.add([part.name, part.fileName, part.type])
                maker.add(part.content)
            }
        case .operations(let operations):
            maker.add(operations.count)
            for operation in operations {
                maker.add([operation.name, operation.document])
                maker.add(operation.variables.canonicalText(ignoring: []))
            }
        case .other(let url, let content):
            maker.add(url.queryItems.sorted())
            content.add(to: &maker)
        }
    }

    /// The kind of content, as shown in messages.
    var kind: String {
        switch self {
        case .none: "no body"
        case .notCaptured: "not captured"
        case .bytes: "bytes"
        case .json: "JSON"
        case .form: "form"
        case .multipart: "multipart"
        case .operations: "GraphQL"
        case .other(_, let content): content.kind
        }
    }
}

/// The unordered items of a form (https://url.spec.whatwg.org/#urlencoded-parsing).
struct FormItems: Hashable, Sendable {
    /// The sorted values for each name.
    let values: [String: [String]]

    /// Parses `application/x-www-form-urlencoded` data.
    ///
    /// Parsing never fails.
    ///
    /// - Parameters:
    ///   - body: The data.
    ///   - ignored: The names of items to omit; none by default.
    init(_ body: Data, ignoring ignored: Set<String> = []) {
        var values: [String: [String]] = [:]
        let items = body.withUnsafeBytes { FormEncoding.items(of: $0, invalidText: .repaired) }
        for item in items where !ignored.contains(item.name) { values[item.name, default: []].append(item.value) }
        self.values = values.mapValues { $0.sorted() }
    }
}

/// A rule for interpreting bodies before comparison.
enum BodyRule: Hashable, Sendable {
    /// By media type: as JSON (ignoring the values at certain pointers), a form or multipart (ignoring certain fields),
    /// or bytes.
    case typed(ignoring: [JSONPointer], fields: Set<String>)

    case bytes

    /// As JSON, ignoring the values at certain pointers and all but certain members of the whole object, or as bytes if
    /// the body is not JSON.
    case json(ignoring: [JSONPointer], members: Set<String>? = nil)

    /// As a form, ignoring certain fields.
    case form(ignoring: Set<String>)

    /// As multipart, ignoring certain fields, or as bytes if the body is not multipart.
    case multipart(ignoring: Set<String>)

    /// As GraphQL operations, or as query and body if the request is not a GraphQL request.
    case graphQL

    /// By media type: as JSON, a form, multipart, or bytes.
    static let byType = typed(ignoring: [], fields: [])

    /// Returns a rule that also ignores the values at JSON pointers and the fields of forms with certain names.
    func ignoring(_ pointers: [JSONPointer], _ fields: Set<String>) -> BodyRule {
        switch self {
        case .typed(let ignored, let names): .typed(ignoring: ignored + pointers, fields: names.union(fields))
        case .json(let ignored, let members): .json(ignoring: ignored + pointers, members: members)
        case .form(let names): .form(ignoring: names.union(fields))
        case .multipart(let names): .multipart(ignoring: names.union(fields))
        case .bytes, .graphQL: self
        }
    }

    /// Parses the body of a request for comparison.
    func content(of request: ComparedRequest) -> BodyContent {
        guard request.isBodyCaptured else { return .notCaptured }
        guard self == .graphQL || request.body != nil else { return .none }
        let body = request.body ?? Data()
        return switch self {
        case .typed(let ignored, let names): Self.content(of: body, type: request.bodyType, ignoring: ignored, names)
        case .bytes: .bytes(body)
        case .json(let ignored, let members): Self.json(body, ignoring: ignored, members) ?? .bytes(body)
        case .form(let names): .form(FormItems(body, ignoring: names), isDeclared: true)
        case .multipart(let names): Self.multipart(body, type: request.bodyType, ignoring: names) ?? .bytes(body)
        case .graphQL:
            GraphQLOperation.operations(of: request).map { .operations($0) }
                ?? .other(request.url, Self.byType.content(of: request))
        }
    }

    /// Parses a body by its media type.
    ///
    /// A body without a type is parsed as a form, because `URLSession` declares this type by default. For the same
    /// reason, a body declared as a form is parsed as JSON if it is a JSON object or array.
    private static func content(
        of body: Data, type: MediaType?, ignoring ignored: [JSONPointer], _ names: Set<String>
    ) -> BodyContent {
        switch type?.essence {
        case let essence? where essence.hasSuffix("/json") || essence.hasSuffix("+json"):
            json(body, ignoring: ignored) ?? .bytes(body)
        case let essence? where essence.hasPrefix("multipart/"):
            multipart(body, type: type, ignoring: names) ?? .bytes(body)
        case nil, "application/x-www-form-urlencoded":
            (startsLikeJSON(body) ? json(body, ignoring: ignored) : nil)
                ?? .form(FormItems(body, ignoring: names), isDeclared: type != nil)
        default: .bytes(body)
        }
    }

    private static func json(
        _ body: Data, ignoring ignored: [JSONPointer], _ members: Set<String>? = nil
    ) -> BodyContent? {
        guard var value = try? JSONValue(parsing: body) else { return nil }
        if let members, let object = value.object {
            value = .object(JSONObject(members: object.members.filter { members.contains($0.name.text) }))
        }
        return .json(value, ignoring: ignored)
    }

    private static func multipart(_ body: Data, type: MediaType?, ignoring names: Set<String>) -> BodyContent? {
        MultipartBody(body, type: type).map { .multipart($0.parts.filter { !names.contains($0.name) }) }
    }

    private static func startsLikeJSON(_ body: Data) -> Bool {
        let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
