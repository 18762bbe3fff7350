import Foundation
import HTTPArchive

/// How bodies are read before they are compared.
enum BodyRule: Hashable, Sendable {
    /// As what they are: JSON, a form, parts, or bytes.
    case byType

    case bytes

    /// As JSON without the values at some places; what is none counts as bytes.
    case json(ignoring: [JSONPointer])

    case form

    /// As parts; what is none counts as bytes.
    case multipart

    /// As operations of GraphQL; other requests count with their query and body.
    case graphQL

    /// What is compared of a request.
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

    /// Reads a body by its type.
    ///
    /// Without a type it is what `URLSession` declares it to be, a form; but a form that is an object or an array of
    /// JSON is only declared to be one.
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
