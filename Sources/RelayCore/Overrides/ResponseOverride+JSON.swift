public import Foundation
public import HTTPArchive

extension ResponseOverride {
    /// Returns an override that replaces the values of JSON members by name.
    ///
    /// Members are replaced at any depth, including in objects inside arrays, regardless of their current values.
    /// Missing members are not added, and the new values are not searched for further members. Bodies that are not JSON
    /// remain unchanged.
    ///
    /// - Parameter values: The new values by member name, such as `["token": "x", "age": 36]`.
    /// - Returns: The override.
    public static func jsonMembers(_ values: [String: JSONValue]) -> ResponseOverride {
        editing(ignoringOthers: true) { editor in editor.replaceMembers(values) }
    }

    /// Returns an override that sets one value in a JSON body.
    ///
    /// The request fails with `overrideFailed` if the body is not JSON or the parent of the value does not exist.
    ///
    /// - Parameters:
    ///   - pointer: A JSON pointer (RFC 6901, https://www.rfc-editor.org/rfc/rfc6901), such as `/user/name`. `/items/-`
    ///     refers to the end of an array.
    ///   - value: The new value. It is added if no value exists at the pointer.
    /// - Returns: The override.
    /// - Throws: `invalidRule` if the pointer is invalid.
    public static func json(at pointer: String, _ value: JSONValue) throws(RelayError) -> ResponseOverride {
        let place = try JSONPointer(ofRule: pointer)
        return editing { editor throws(HARError) in try editor.set(value, at: place) }
    }

    /// Returns an override that removes one value from a JSON body.
    ///
    /// The request fails with `overrideFailed` if the body is not JSON or the value does not exist.
    ///
    /// - Parameter pointer: A JSON pointer (RFC 6901, https://www.rfc-editor.org/rfc/rfc6901), such as `/user/name`.
    /// - Returns: The override.
    /// - Throws: `invalidRule` if the pointer is invalid.
    public static func removingJSON(at pointer: String) throws(RelayError) -> ResponseOverride {
        let place = try JSONPointer(ofRule: pointer)
        return editing { editor throws(HARError) in try editor.remove(at: place) }
    }

    /// Returns an override that applies a JSON patch (RFC 6902, https://www.rfc-editor.org/rfc/rfc6902).
    ///
    /// The request fails with `overrideFailed` if the body is not JSON or the patch does not apply.
    ///
    /// - Parameter patch: The patch.
    /// - Returns: The override.
    public static func jsonPatch(_ patch: JSONPatch) -> ResponseOverride {
        editing { editor throws(HARError) in try editor.apply(patch) }
    }

    /// Returns an override that applies a JSON merge patch (RFC 7396, https://www.rfc-editor.org/rfc/rfc7396).
    ///
    /// Bodies that are not JSON remain unchanged.
    ///
    /// - Parameter patch: The members to set. The value `null` removes a member.
    /// - Returns: The override.
    public static func mergePatch(_ patch: JSONValue) -> ResponseOverride {
        editing(ignoringOthers: true) { editor in editor.merge(patch) }
    }

    /// Returns an override that decodes the JSON body, changes the model, and writes the differences back.
    ///
    /// Only the members that `change` modifies are rewritten. All others keep their exact text, including members that
    /// the model does not contain. If decoding, encoding or the closure throws, the request fails with that error.
    ///
    /// ```swift
    /// interceptor.add(.override("api.example.com/user", .model(User.self) { $0.name = "Ada" }))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the model.
    ///   - decoder: The decoder; a `JSONDecoder` with default settings if omitted.
    ///   - encoder: The encoder, which must be the inverse of the decoder; a `JSONEncoder` with default settings if
    ///     omitted.
    ///   - change: A closure that changes the model.
    /// - Returns: The override.
    public static func model<Model: Codable & Sendable>(
        _ type: Model.Type, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder(),
        _ change: @escaping @Sendable (inout Model) throws -> Void
    ) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            var model = try decoder.decode(type, from: response.body)
            let before = try JSONValue(parsing: encoder.encode(model))
            try change(&model)
            let after = try JSONValue(parsing: encoder.encode(model))
            var editor = try JSONEditor(response.body)
            try editor.apply(JSONPatch(from: before, to: after))
            return [UInt8](editor.text)
        })
    }

    /// Returns an override that edits a JSON body.
    ///
    /// - Parameters:
    ///   - isOptional: Whether bodies that are not JSON remain unchanged; by default, their requests fail.
    ///   - edit: A closure that edits the body.
    /// - Returns: The override.
    private static func editing(
        ignoringOthers isOptional: Bool = false, _ edit: @escaping @Sendable (inout JSONEditor) throws(HARError) -> Void
    ) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            guard var editor = try? JSONEditor(response.body) else {
                if isOptional { return nil }
                throw RelayError(
                    .overrideFailed, "The body is not JSON. Exclude this request from the override's pattern.")
            }
            try edit(&editor)
            return [UInt8](editor.text)
        })
    }
}

extension JSONPointer {
    /// Parses the JSON pointer of a rule.
    fileprivate init(ofRule text: String) throws(RelayError) {
        guard let pointer = JSONPointer(text: text) else {
            throw RelayError(
                .invalidRule,
                "'\(text)' is not a JSON pointer. It must be empty or begin with a slash, as in '/\(text)'.")
        }
        self = pointer
    }
}
