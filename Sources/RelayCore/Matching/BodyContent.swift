import Foundation
import HTTPArchive

/// The content of a body, in the form in which bodies are compared.
enum BodyContent: Sendable {
    /// A missing or empty body.
    case none

    /// A body that is missing from the archive, and therefore does not equal any other body.
    case notCaptured

    case bytes(Data)
    case json(JSONValue, ignoring: [JSONPointer])

    /// A form, for which `isDeclared` is `true` if the request declares the form type, so that item names are reliable.
    case form(FormItems, isDeclared: Bool)

    case multipart([MultipartBody.Part])

    /// The operations of a GraphQL request.
    case operations([GraphQLOperation])

    /// The query and body of a request that is not a GraphQL request.
    indirect case other(NormalizedURL, BodyContent)

    /// Adds the compared content to a digest.
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

    /// The kind of content, for messages.
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

/// The items of a form (https://url.spec.whatwg.org/#urlencoded-parsing), regardless of their order.
struct FormItems: Hashable, Sendable {
    /// The values of each name, in sorted order.
    let values: [String: [String]]

    /// Parses `application/x-www-form-urlencoded` data, which can be any bytes.
    init(_ body: Data) {
        var values: [String: [String]] = [:]
        let items = body.withUnsafeBytes { FormEncoding.items(of: $0, invalidText: .repaired) }
        for item in items { values[item.name, default: []].append(item.value) }
        self.values = values.mapValues { $0.sorted() }
    }
}
