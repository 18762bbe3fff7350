import Foundation
import HTTPArchive

/// A rule for interpreting bodies before comparison.
enum BodyRule: Hashable, Sendable {
    /// By media type: as JSON (ignoring the values at certain pointers), a form, multipart, or bytes.
    case typed(ignoring: [JSONPointer])

    case bytes

    /// As JSON, ignoring the values at certain pointers, or as bytes if the body is not JSON.
    case json(ignoring: [JSONPointer])

    case form

    /// As multipart, or as bytes if the body is not multipart.
    case multipart

    /// As GraphQL operations, or as query and body if the request is not a GraphQL request.
    case graphQL

    /// By media type: as JSON, a form, multipart, or bytes.
    static let byType = typed(ignoring: [])

    /// Returns a rule that also ignores the values at JSON pointers.
    func ignoring(_ pointers: [JSONPointer]) -> BodyRule {
        switch self {
        case .typed(let ignored): .typed(ignoring: ignored + pointers)
        case .json(let ignored): .json(ignoring: ignored + pointers)
        case .bytes, .form, .multipart, .graphQL: self
        }
    }

    /// Parses the body of a request for comparison.
    func content(of request: ComparedRequest) -> BodyContent {
        guard request.isBodyCaptured else { return .notCaptured }
        if self == .graphQL {
            if let operations = GraphQLOperation.operations(of: request) { return .operations(operations) }
            return .other(request.url, Self.byType.content(of: request))
        }
        guard let body = request.body else { return .none }
        switch self {
        case .typed(let ignored): return Self.content(of: body, type: request.bodyType, ignoring: ignored)
        case .graphQL: return Self.content(of: body, type: request.bodyType, ignoring: [])
        case .bytes: return .bytes(body)
        case .json(let ignored): return Self.json(body, ignoring: ignored) ?? .bytes(body)
        case .form: return .form(FormItems(body), isDeclared: true)
        case .multipart: return Self.multipart(body, type: request.bodyType) ?? .bytes(body)
        }
    }

    /// Parses a body by its media type.
    ///
    /// A body without a type is parsed as a form, because `URLSession` declares this type by default. For the same
    /// reason, a body declared as a form is parsed as JSON if it is a JSON object or array.
    private static func content(of body: Data, type: MediaType?, ignoring ignored: [JSONPointer]) -> BodyContent {
        switch type?.essence {
        case let essence? where essence.hasSuffix("/json") || essence.hasSuffix("+json"):
            json(body, ignoring: ignored) ?? .bytes(body)
        case let essence? where essence.hasPrefix("multipart/"):
            multipart(body, type: type) ?? .bytes(body)
        case nil, "application/x-www-form-urlencoded":
            (startsLikeJSON(body) ? json(body, ignoring: ignored) : nil)
                ?? .form(FormItems(body), isDeclared: type != nil)
        default: .bytes(body)
        }
    }

    private static func json(_ body: Data, ignoring ignored: [JSONPointer]) -> BodyContent? {
        (try? JSONValue(parsing: body)).map { .json($0, ignoring: ignored) }
    }

    private static func multipart(_ body: Data, type: MediaType?) -> BodyContent? {
        MultipartBody(body, type: type).map { .multipart($0.parts) }
    }

    private static func startsLikeJSON(_ body: Data) -> Bool {
        let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
