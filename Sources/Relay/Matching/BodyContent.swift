import Foundation
import HTTPArchive

/// A body as it is compared.
enum BodyContent: Sendable {
    /// There is no body, or an empty one.
    case none

    /// The archive does not have the body, which therefore equals none.
    case notCaptured

    case bytes(Data)
    case json(JSONValue, ignoring: [JSONPointer])

    /// A form; `isDeclared` says whether the request calls it one, so that names of items are names.
    case form(FormItems, isDeclared: Bool)

    case multipart([MultipartBody.Part])

    /// What a request of GraphQL asks for.
    case operations([GraphQLOperation])

    /// The query and the body of a request that is none of GraphQL.
    indirect case other(NormalizedURL, BodyContent)

    /// Adds what is compared to a digest.
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

    /// What messages call it.
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
