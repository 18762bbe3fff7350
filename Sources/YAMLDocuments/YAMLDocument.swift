package import Foundation
package import HTTPArchive
import RecordingFormats
package import Yams

/// Converts YAML documents to JSON values.
///
/// Scalars have the types of YAML 1.1 (https://yaml.org/type/), which the tools that write cassettes use. Timestamps
/// become strings. Language-specific tags are ignored.
package enum YAMLDocument {
    /// Parses a document.
    ///
    /// - Parameter data: The text.
    /// - Returns: The value. Binary scalars are encoded as described at ``RecordingFile/binaryName``.
    /// - Throws: `malformedRecording` with line and column; `limitExceeded`.
    package static func value(of data: Data) throws(HARError) -> JSONValue {
        try node(of: data).map { value(of: $0) } ?? .null
    }

    /// Parses a document.
    ///
    /// - Parameter data: The text.
    /// - Returns: The nodes, which know their lines and columns, or nil if the document is empty.
    /// - Throws: `malformedRecording` with line and column; `limitExceeded`.
    package static func node(of data: Data) throws(HARError) -> Node? {
        guard let text = String(data: data, encoding: .utf8) else {
            throw HARError(
                .malformedRecording, "expected YAML in UTF-8, found invalid UTF-8; convert the file to UTF-8")
        }
        try YAMLBudget.check(data)
        do {
            return try Yams.compose(yaml: JSONEscapes.combined(in: text, data))
        } catch {
            throw failure(error)
        }
    }

    /// Converts a node.
    ///
    /// - Parameter node: The node.
    /// - Returns: The value.
    package static func value(of node: Node) -> JSONValue {
        switch node {
        case .scalar(let scalar): return value(of: scalar, as: Tag.Name(rawValue: node.tag.description))
        case .sequence(let sequence): return .array(sequence.map { value(of: $0) })
        case .mapping(let mapping):
            let members = mapping.map { key, value in
                JSONObject.Member(name: JSONString(key.string ?? ""), value: Self.value(of: value))
            }
            return .object(JSONObject(members: members))
        case .alias: return .null
        }
    }

    private static func value(of scalar: Node.Scalar, as tag: Tag.Name) -> JSONValue {
        let text = scalar.string
        // Ruby uses a different tag for binary data.
        if tag == .binary || tag.rawValue == "!binary" {
            return .object([RecordedValue.binaryName: .string(JSONString(text.filter { !$0.isWhitespace }))])
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
            return HARError(.malformedRecording, "cannot read the YAML", underlying: error)
        }
        return switch error {
        case .scanner(_, let problem, let mark, _) where problem.contains("nesting level"),
            .parser(_, let problem, let mark, _) where problem.contains("nesting level"):
            YAMLBudget.nestingError(at: location(mark))
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            HARError(.malformedRecording, "invalid YAML: \(problem)", at: location(mark))
        case .reader(let problem, _, _, _):
            HARError(.malformedRecording, "invalid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            HARError(
                .malformedRecording,
                "invalid YAML: duplicate key \(quoted(keys.first ?? "")) in a mapping", at: location(context.mark))
        default: HARError(.malformedRecording, "invalid YAML")
        }
    }

    private static func quoted(_ key: String) -> String { String(reflecting: String(key.prefix(40))).escapingControls }

    private static func location(_ mark: Mark?) -> HARError.Context { .init(line: mark?.line, column: mark?.column) }
}
