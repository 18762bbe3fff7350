import Foundation
import HTTPArchive

/// The content of a body, in the form in which bodies are compared.
enum BodyContent: Sendable {
    /// A missing or empty body.
    case none

    /// A body that the archive does not contain, and that therefore equals no other body.
    case notCaptured

    case bytes(Data)
    case json(JSONValue, ignoring: [JSONPointer])

    /// A form; `isDeclared` is whether the request declares the form type, so that item names are reliable.
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

    /// Parses `application/x-www-form-urlencoded` data, which accepts any bytes.
    init(_ body: Data) {
        var values: [String: [String]] = [:]
        let items = body.withUnsafeBytes { FormEncoding.items(of: $0, invalidText: .repaired) }
        for item in items { values[item.name, default: []].append(item.value) }
        self.values = values.mapValues { $0.sorted() }
    }
}

extension BodyContent {
    /// The maximum number of differences listed for a JSON text.
    private static let differenceLimit = 20

    /// Returns the differences from a recorded body, without contents.
    func differences(from recorded: BodyContent) -> [MatchDifference] {
        switch (recorded, self) {
        case (.none, .none): []
        case (.bytes(let recorded), .bytes(let asked)): Self.bytes("body", recorded, asked)
        case (.json(let recorded, let ignored), .json(let asked, _)):
            Self.json("body", recorded, asked, ignoring: ignored)
        case (.form(let recorded, true), .form(let asked, true)):
            MatchDifference.ofNamedValues(
                "form", recorded: recorded.values, asked: asked.values, label: FormItems.label)
        case (.form(let recorded, _), .form(let asked, _)):
            recorded == asked ? [] : [MatchDifference("body", inBoth: "form")]
        case (.multipart(let recorded), .multipart(let asked)): Self.parts(recorded, asked)
        case (.operations(let recorded), .operations(let asked)): Self.operations(recorded, asked)
        case (.other(let recordedURL, let recorded), .other(let askedURL, let asked)):
            KeyRule.Query.items(ignoring: []).differences(asked: askedURL, recorded: recordedURL)
                + asked.differences(from: recorded)
        default: [MatchDifference("body", recorded: recorded.kind, asked: kind)]
        }
    }

    private static func bytes(_ part: String, _ recorded: Data, _ asked: Data) -> [MatchDifference] {
        guard recorded != asked else { return [] }
        return [MatchDifference(part, recorded: "\(recorded.count) bytes", asked: "\(asked.count) bytes")]
    }

    private static func json(
        _ part: String, _ recorded: JSONValue, _ asked: JSONValue, ignoring ignored: [JSONPointer]
    ) -> [MatchDifference] {
        asked.differences(from: recorded, ignoring: ignored, limit: differenceLimit).map { difference in
            let location = difference.pointer.components.isEmpty ? "the whole value" : difference.pointer.description
            return switch difference.kind {
            case .missingThere: MatchDifference(part, asked: location)
            case .missingHere: MatchDifference(part, recorded: location)
            case .otherValue, .otherType: MatchDifference(part, inBoth: location)
            }
        }
    }

    private static func parts(_ recorded: [MultipartBody.Part], _ asked: [MultipartBody.Part]) -> [MatchDifference] {
        (0..<max(recorded.count, asked.count)).flatMap { index -> [MatchDifference] in
            guard index < recorded.count else { return [MatchDifference("part", asked: asked[index].label(index))] }
            guard index < asked.count else { return [MatchDifference("part", recorded: recorded[index].label(index))] }
            let (first, second) = (recorded[index], asked[index])
            guard first != second else { return [] }
            let labels = (first.label(index), second.label(index))
            guard labels.0 == labels.1, first.content.count != second.content.count else {
                return [MatchDifference("part", recorded: labels.0, asked: labels.1)]
            }
            return [
                MatchDifference(
                    "part", recorded: "\(labels.0), \(first.content.count) bytes",
                    asked: "\(labels.1), \(second.content.count) bytes")
            ]
        }
    }

    private static func operations(_ recorded: [GraphQLOperation], _ asked: [GraphQLOperation]) -> [MatchDifference] {
        guard recorded.count == asked.count else {
            return [
                MatchDifference(
                    "GraphQL", recorded: "\(recorded.count) operations", asked: "\(asked.count) operations")
            ]
        }
        return zip(recorded, asked).flatMap { recorded, asked in
            guard recorded.name == asked.name, recorded.document == asked.document else {
                return [MatchDifference("GraphQL", recorded: recorded.label, asked: asked.label)]
            }
            return json("variables", recorded.variables, asked.variables, ignoring: [])
        }
    }
}

extension FormItems {
    /// Returns the label of an item in messages, because a body wrongly declared to be a form has content as names.
    fileprivate static func label(_ name: String) -> String { isName(name) ? name : "an item with an invalid name" }

    /// Whether a text looks like the name of an item rather than its content.
    fileprivate static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789_-.:[]$".unicodeScalars.contains($0)
            }
    }
}

extension MultipartBody.Part {
    /// Returns the label of the part in messages: its name, or its number if the name is unsafe to print.
    fileprivate func label(_ index: Int) -> String { FormItems.isName(name) ? name : "part \(index + 1)" }
}

extension GraphQLOperation {
    /// The label of the operation in messages: its name, if that is a valid GraphQL name.
    fileprivate var label: String {
        guard let name else { return "an anonymous operation" }
        return name.allSatisfy(Self.isOfName) ? name : "an operation with an invalid name"
    }
}
