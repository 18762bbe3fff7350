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
    init(_ body: Data) {
        var values: [String: [String]] = [:]
        let items = body.withUnsafeBytes { FormEncoding.items(of: $0, invalidText: .repaired) }
        for item in items { values[item.name, default: []].append(item.value) }
        self.values = values.mapValues { $0.sorted() }
    }
}
