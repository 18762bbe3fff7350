import Foundation
import HTTPArchive
import RecordingFormats
import Yams

/// YAML as the JSON value that says the same.
///
/// Scalars are of the types of YAML 1.1 (https://yaml.org/type/), as the tools that write cassettes have them; times are
/// strings, and tags of a language's own types mean nothing.
struct YAMLDocument {
    /// The most values, as aliases can make very many of a short text.
    private static let countLimit = 10_000_000

    /// The most collections inside each other.
    private static let depthLimit = 256

    private var count = 0

    /// Parses a document.
    ///
    /// - Parameter data: The text.
    /// - Returns: The value; what is binary stands as ``RecordingFile/binaryName`` says.
    /// - Throws: `malformedRecording` with line and column; `limitExceeded`.
    static func value(of data: Data) throws(HARError) -> JSONValue {
        guard let text = String(data: data, encoding: .utf8) else {
            throw HARError(.malformedRecording, "The YAML is not in UTF-8.")
        }
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            throw failure(error)
        }
        var document = YAMLDocument()
        return try node.map { node throws(HARError) in try document.value(of: node, depth: 0) } ?? .null
    }

    private mutating func value(of node: Node, depth: Int) throws(HARError) -> JSONValue {
        count += 1
        guard count <= Self.countLimit, depth <= Self.depthLimit else {
            let limit =
                depth > Self.depthLimit ? "\(Self.depthLimit) levels" : "\(Self.countLimit) values, aliases counted"
            throw HARError(.limitExceeded, "The YAML has more than \(limit); divide it.", at: Self.place(node.mark))
        }
        switch node {
        case .scalar(let scalar): return Self.value(of: scalar, as: Tag.Name(rawValue: node.tag.description))
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(of: element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: [JSONObject.Member] = []
            for (key, value) in mapping {
                let name = key.string ?? ""
                members.append(.init(name: JSONString(name), value: try self.value(of: value, depth: depth + 1)))
            }
            return .object(JSONObject(members: members))
        case .alias: return .null
        }
    }

    private static func value(of scalar: Node.Scalar, as tag: Tag.Name) -> JSONValue {
        let text = scalar.string
        // Ruby has a tag of its own for bytes.
        if tag == .binary || tag.rawValue == "!binary" {
            return .object([RecordingFile.binaryName: .string(JSONString(text.filter { !$0.isWhitespace }))])
        }
        guard scalar.style == .plain || tag != .str else { return .string(JSONString(text)) }
        switch tag {
        case .null: return .null
        case .bool: if let bool = Bool.construct(from: scalar) { return .bool(bool) }
        case .int: if let int = Int.construct(from: scalar) { return .number(JSONNumber(int)) }
        case .float:
            let number = JSONNumber(text: text) ?? Double.construct(from: scalar).flatMap { JSONNumber($0) }
            if let number { return .number(number) }
        default: break
        }
        return .string(JSONString(text))
    }

    // MARK: Errors

    private static func failure(_ error: any Error) -> HARError {
        guard let error = error as? YamlError else {
            return HARError(.malformedRecording, "The YAML cannot be read.", underlying: error)
        }
        return switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            HARError(.malformedRecording, "The YAML is broken: \(problem).", at: place(mark))
        case .reader(let problem, _, _, _):
            HARError(.malformedRecording, "The YAML is broken: \(problem).")
        case .duplicatedKeysInMapping:
            HARError(.malformedRecording, "The YAML is broken: a name stands more than once in a mapping.")
        default: HARError(.malformedRecording, "The YAML is broken.")
        }
    }

    private static func place(_ mark: Mark?) -> HARError.Context { .init(line: mark?.line, column: mark?.column) }
}
