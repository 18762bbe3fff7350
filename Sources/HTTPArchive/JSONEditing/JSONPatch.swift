/// A JSON Patch: an ordered list of operations that change a document (RFC 6902,
/// https://www.rfc-editor.org/rfc/rfc6902).
///
/// ```json
/// [
///   { "op": "test", "path": "/user/id", "value": 7 },
///   { "op": "replace", "path": "/user/name", "value": "Ada" },
///   { "op": "add", "path": "/items/-", "value": { "id": 3 } }
/// ]
/// ```
public struct JSONPatch: Hashable, Sendable {
    /// One operation (RFC 6902, section 4).
    enum Operation: Hashable {
        case add(JSONValue)
        case remove
        case replace(JSONValue)
        case move(from: JSONPointer)
        case copy(from: JSONPointer)
        case test(JSONValue)
    }

    /// An operation and its location.
    struct Step: Hashable {
        let operation: Operation
        let pointer: JSONPointer
    }

    /// The operations, in order.
    let steps: [Step]

    /// Creates a patch from a JSON value.
    ///
    /// - Parameter value: An array of operations.
    /// - Throws: `invalidRule` with the index of the operation (from 0) and the reason.
    public init(_ value: JSONValue) throws(HARError) {
        guard let operations = value.array else {
            throw HARError(.invalidRule, "A JSON Patch must be an array of operations.")
        }
        var steps: [Step] = []
        for (index, operation) in operations.enumerated() {
            do throws(HARError) {
                steps.append(try Step(operation))
            } catch {
                throw HARError(.invalidRule, "Operation \(index) of the JSON Patch is invalid: \(error.message)")
            }
        }
        self.steps = steps
    }

    /// Parses a patch from JSON text.
    ///
    /// - Parameter text: The text of an array of operations.
    /// - Throws: `invalidRule` with the index of the operation (from 0) and the reason, or with the location of invalid
    ///   JSON.
    public init(parsing text: String) throws(HARError) {
        let value: JSONValue
        do throws(HARError) {
            value = try JSONValue(parsing: text)
        } catch {
            throw HARError(
                .invalidRule, "The JSON Patch cannot be parsed. \(error.message)", at: error.context,
                underlying: error)
        }
        try self.init(value)
    }
}

extension JSONPatch.Step {
    fileprivate init(_ value: JSONValue) throws(HARError) {
        guard let object = value.object else { throw HARError(.invalidRule, "it must be an object.") }
        let members = object.members
        guard let name = try Self.member("op", of: members).text else {
            throw HARError(.invalidRule, "its \"op\" must be a string.")
        }
        let pointer = try Self.pointer("path", of: members)
        self.pointer = pointer
        switch name {
        case "add": operation = .add(try Self.member("value", of: members))
        case "remove": operation = .remove
        case "replace": operation = .replace(try Self.member("value", of: members))
        case "move":
            let source = try Self.pointer("from", of: members)
            guard source == pointer || !source.contains(pointer) else {
                throw HARError(.invalidRule, "a value cannot be moved into itself.")
            }
            operation = .move(from: source)
        case "copy": operation = .copy(from: try Self.pointer("from", of: members))
        case "test": operation = .test(try Self.member("value", of: members))
        default:
            throw HARError(.invalidRule, "its \"op\" must be add, remove, replace, move, copy or test.")
        }
    }

    /// Returns the value of a required member.
    private static func member(
        _ name: String, of members: [JSONObject.Member]
    ) throws(HARError) -> JSONValue {
        let found = members.filter { $0.name == JSONString(name) }
        guard let member = found.first else { throw HARError(.invalidRule, "its \"\(name)\" is missing.") }
        guard found.count == 1 else { throw HARError(.invalidRule, "it has more than one \"\(name)\".") }
        return member.value
    }

    private static func pointer(
        _ name: String, of members: [JSONObject.Member]
    ) throws(HARError) -> JSONPointer {
        guard case .string(let string) = try member(name, of: members), !string.isLossy else {
            throw HARError(.invalidRule, "its \"\(name)\" must be a string that is valid Unicode.")
        }
        guard let pointer = JSONPointer(text: string.text), pointer.description == string.text else {
            throw HARError(
                .invalidRule,
                "its \"\(name)\" must be a JSON Pointer: empty or beginning with a slash, with ~ written as ~0.")
        }
        return pointer
    }
}

extension JSONPointer {
    /// Returns whether the other pointer refers to the same value or to a value inside it.
    fileprivate func contains(_ other: JSONPointer) -> Bool {
        other.components.starts(with: components) { JSONString($0) == JSONString($1) }
    }
}

extension JSONPatch.Operation {
    /// The name of the operation.
    var name: String {
        switch self {
        case .add: "add"
        case .remove: "remove"
        case .replace: "replace"
        case .move: "move"
        case .copy: "copy"
        case .test: "test"
        }
    }
}

extension JSONPatch {
    /// Creates the patch that turns one value into another.
    ///
    /// Objects are compared member by member, in any order. Arrays of the same length are compared element by element.
    /// In arrays of different lengths, equal elements at both ends are kept. The elements between them are removed, and
    /// the new elements are added.
    ///
    /// - Parameters:
    ///   - old: The value to patch. Its objects may omit members that the patch does not change.
    ///   - new: The resulting value.
    /// - Complexity: O(*n*), where *n* is the total size of both values.
    package init(from old: JSONValue, to new: JSONValue) {
        steps = Self.steps(from: old, to: new, at: JSONPointer())
    }

    private static func steps(from old: JSONValue, to new: JSONValue, at pointer: JSONPointer) -> [Step] {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            let oldMembers = byName(old)
            let newMembers = byName(new)
            let removed = names(of: old).filter { newMembers[$0] == nil }
                .map { Step(operation: .remove, pointer: pointer.appending($0.text)) }
            return removed
                + names(of: new).flatMap { name in
                    let pointer = pointer.appending(name.text)
                    guard let value = newMembers[name] else { return [Step]() }
                    guard let old = oldMembers[name] else { return [Step(operation: .add(value), pointer: pointer)] }
                    return steps(from: old, to: value, at: pointer)
                }
        case (.array(let old), .array(let new)):
            return steps(from: old, to: new, at: pointer)
        default:
            return old == new ? [] : [Step(operation: .replace(new), pointer: pointer)]
        }
    }

    private static func steps(from old: [JSONValue], to new: [JSONValue], at pointer: JSONPointer) -> [Step] {
        if old.count == new.count {
            return zip(old, new).enumerated().flatMap { index, pair in
                steps(from: pair.0, to: pair.1, at: pointer.appending(index))
            }
        }
        let isEqual = { (old: JSONValue, new: JSONValue) in old.canonicalText() == new.canonicalText() }
        let start = zip(old, new).prefix(while: isEqual).count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix(while: isEqual).count
        let removed = (start..<old.count - end).map { _ in
            Step(operation: .remove, pointer: pointer.appending(start))
        }
        let added = (start..<new.count - end).map { index in
            Step(operation: .add(new[index]), pointer: pointer.appending(index))
        }
        return removed + added
    }

    /// The names of the members, in order and without duplicates.
    private static func names(of object: JSONObject) -> [JSONString] {
        var seen: Set<JSONString> = []
        return object.members.map(\.name).filter { seen.insert($0).inserted }
    }

    private static func byName(_ object: JSONObject) -> [JSONString: JSONValue] {
        Dictionary(object.members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }
}
