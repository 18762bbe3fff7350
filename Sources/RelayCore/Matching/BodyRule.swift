import Foundation
import HTTPArchive

/// The interpretation of bodies for a comparison.
enum BodyRule: Hashable, Sendable {
    /// By media type: JSON, a form, multipart, or bytes.
    case byType

    case bytes

    /// As JSON without the values at some pointers; a body that is not JSON is compared as bytes.
    case json(ignoring: [JSONPointer])

    case form

    /// As multipart; a body that is not multipart is compared as bytes.
    case multipart

    /// As GraphQL operations; other requests are compared by query and body.
    case graphQL

    /// Returns the content of a request's body for comparison.
    func content(of request: ComparedRequest) -> BodyContent {
        guard request.isBodyCaptured else { return .notCaptured }
        if self == .graphQL {
            if let operations = GraphQLOperation.operations(of: request) { return .operations(operations) }
            return .other(request.url, Self.byType.content(of: request))
        }
        guard let body = request.body else { return .none }
        switch self {
        case .byType, .graphQL: return Self.content(of: body, type: request.bodyType)
        case .bytes: return .bytes(body)
        case .json(let ignored): return Self.json(body, ignoring: ignored) ?? .bytes(body)
        case .form: return .form(FormItems(body), isDeclared: true)
        case .multipart: return Self.multipart(body, type: request.bodyType) ?? .bytes(body)
        }
    }

    /// Parses a body by its media type.
    ///
    /// A body without a type is a form, as declared by `URLSession`. A form that is a JSON object or array is parsed as
    /// JSON, because its type may be just the default.
    private static func content(of body: Data, type: MediaType?) -> BodyContent {
        switch type?.essence {
        case let essence? where essence.hasSuffix("/json") || essence.hasSuffix("+json"):
            json(body, ignoring: []) ?? .bytes(body)
        case let essence? where essence.hasPrefix("multipart/"):
            multipart(body, type: type) ?? .bytes(body)
        case nil, "application/x-www-form-urlencoded":
            (startsLikeJSON(body) ? json(body, ignoring: []) : nil)
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
