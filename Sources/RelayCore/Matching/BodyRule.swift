import Foundation
import HTTPArchive

/// A rule for interpreting bodies before they are compared.
enum BodyRule: Hashable, Sendable {
    /// By media type: JSON (except the values at certain pointers), a form, multipart, or bytes.
    case typed(ignoring: [JSONPointer])

    case bytes

    /// As JSON, except the values at certain pointers; a body that is not JSON is compared as bytes.
    case json(ignoring: [JSONPointer])

    case form

    /// As multipart; a body that is not multipart is compared as bytes.
    case multipart

    /// As GraphQL operations; other requests are compared by query and body.
    case graphQL

    /// By media type: JSON, a form, multipart, or bytes.
    static let byType = typed(ignoring: [])

    /// Returns a rule that also ignores the values at JSON pointers.
    func ignoring(_ pointers: [JSONPointer]) -> BodyRule {
        switch self {
        case .typed(let ignored): .typed(ignoring: ignored + pointers)
        case .json(let ignored): .json(ignoring: ignored + pointers)
        case .bytes, .form, .multipart, .graphQL: self
        }
    }

    /// Returns the content of a request's body for comparison.
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
    /// A body without a type is parsed as a form, which is the type that `URLSession` declares by default. A form whose
    /// content is a JSON object or array is parsed as JSON, because its type may be just this default.
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
