public import Foundation
public import HTTPArchive

extension ResponseOverride {
    /// Other values for members of JSON objects, wherever they stand.
    ///
    /// The value of each member whose name is given is replaced, at any depth and in objects of arrays too, whatever it
    /// was. Names that are nowhere add nothing, and replacements are not searched. Bodies that are no JSON stay.
    ///
    /// - Parameter values: The values by the names of members, such as `["token": "x", "age": 36]`.
    /// - Returns: The override.
    public static func jsonMembers(_ values: [String: JSONValue]) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            guard var editor = response.jsonEditor else { return nil }
            editor.replaceMembers(values)
            return [UInt8](editor.text)
        })
    }

    /// Another value at one place of a JSON body.
    ///
    /// The request fails with `overrideFailed` when the body is no JSON or what would hold the value is not there.
    ///
    /// - Parameters:
    ///   - pointer: The place (RFC 6901, https://www.rfc-editor.org/rfc/rfc6901), such as `/user/name`; `/items/-` is
    ///     behind an array's last element.
    ///   - value: The value, which is added where there is none.
    /// - Returns: The override.
    /// - Throws: `invalidRule` when the pointer is none.
    public static func json(at pointer: String, _ value: JSONValue) throws(RelayError) -> ResponseOverride {
        let place = try JSONPointer(ofRule: pointer)
        return editing { editor throws(HARError) in try editor.set(value, at: place) }
    }

    /// No value at one place of a JSON body.
    ///
    /// The request fails with `overrideFailed` when the body is no JSON or has no such value.
    ///
    /// - Parameter pointer: The place (RFC 6901, https://www.rfc-editor.org/rfc/rfc6901), such as `/user/name`.
    /// - Returns: The override.
    /// - Throws: `invalidRule` when the pointer is none.
    public static func removingJSON(at pointer: String) throws(RelayError) -> ResponseOverride {
        let place = try JSONPointer(ofRule: pointer)
        return editing { editor throws(HARError) in try editor.remove(at: place) }
    }

    /// A patch of JSON bodies (RFC 6902, https://www.rfc-editor.org/rfc/rfc6902).
    ///
    /// The request fails with `overrideFailed` when the body is no JSON or the patch does not apply.
    ///
    /// - Parameter patch: The patch.
    /// - Returns: The override.
    public static func jsonPatch(_ patch: JSONPatch) -> ResponseOverride {
        editing { editor throws(HARError) in try editor.apply(patch) }
    }

    /// A merge patch of JSON bodies (RFC 7396, https://www.rfc-editor.org/rfc/rfc7396).
    ///
    /// Bodies that are no JSON stay.
    ///
    /// - Parameter patch: The patch: members to set, `null` for those to remove.
    /// - Returns: The override.
    public static func mergePatch(_ patch: JSONValue) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            guard var editor = response.jsonEditor else { return nil }
            editor.merge(patch)
            return [UInt8](editor.text)
        })
    }

    /// A closure changes what the JSON of the body says, as a model.
    ///
    /// Only what it changes is changed in the body: members that the model does not know stay, and so does the text of all
    /// others. The request fails with what decoding, encoding or the closure throws.
    ///
    /// ```swift
    /// interceptor.add(.override("api.example.com/user", .model(User.self) { $0.name = "Ada" }))
    /// ```
    ///
    /// - Parameters:
    ///   - type: What the body is decoded as.
    ///   - decoder: How it is decoded; the default way unless given.
    ///   - encoder: How it is encoded, which must give back what was decoded; the default way unless given.
    ///   - change: Changes the model.
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

    private static func editing(
        _ edit: @escaping @Sendable (inout JSONEditor) throws(HARError) -> Void
    ) -> ResponseOverride {
        ResponseOverride(ofBodies: { response in
            guard var editor = response.jsonEditor else {
                throw RelayError(.overrideFailed, "The body is no JSON; have the override's pattern leave it out.")
            }
            try edit(&editor)
            return [UInt8](editor.text)
        })
    }
}

extension InterceptedResponse {
    /// The body as JSON that can be changed; `nil` when it is none.
    fileprivate var jsonEditor: JSONEditor? { try? JSONEditor(body) }
}

extension JSONPointer {
    /// The pointer of a rule.
    fileprivate init(ofRule text: String) throws(RelayError) {
        guard let pointer = JSONPointer(text: text) else {
            throw RelayError(.invalidRule, "'\(text)' is no JSON pointer: it must be empty or begin with a slash.")
        }
        self = pointer
    }
}
