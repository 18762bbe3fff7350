package import Foundation

/// An entry's reference to a body that is stored in a separate file.
package struct BodyReference: Sendable {
    /// The path of the file, as the archive states it.
    package let name: String

    /// The media type of the body, or nil if the entry has none.
    package let mediaType: String?

    /// The JSON pointer to the path, relative to the entry.
    package let pointer: JSONPointer

    /// Returns the references of an entry.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: At most one reference for the request and one for the response.
    package static func references(of entry: HAR.Entry) -> [BodyReference] {
        [["request", "postData"], ["response", "content"]].compactMap { path in
            guard let body = entry[path[0]]?[path[1]], let name = body["_file"]?.text, !name.isEmpty else { return nil }
            let pointer = JSONPointer(path).appending("_file")
            return BodyReference(name: name, mediaType: body["mimeType"]?.text, pointer: pointer)
        }
    }

    /// Returns the name of the file after a change of its content.
    ///
    /// - Parameters:
    ///   - new: The new content.
    ///   - old: The old content.
    /// - Returns: The name, with the SHA-1 of the old content replaced by the SHA-1 of the new content.
    package func name(for new: Data, inPlaceOf old: Data) -> String {
        name.replacing(Self.hash(of: old), with: Self.hash(of: new))
    }

    /// Returns a name based on the SHA-1 of the content, for use when another file already has this name.
    ///
    /// - Parameter data: The content.
    /// - Returns: The name, with the folder and the extension of this one.
    package func name(for data: Data) -> String {
        var steps = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let suffix = steps[steps.count - 1].split(separator: ".").dropFirst().last.map { "." + $0 } ?? ""
        steps[steps.count - 1] = Self.hash(of: data) + suffix
        return steps.joined(separator: "/")
    }

    private static func hash(of data: Data) -> String { Hexadecimal.text(HashAlgorithm.sha1.hash(of: data)) }
}

extension HAR.Entry {
    /// Returns the entry with a new file name for a body.
    ///
    /// - Parameters:
    ///   - reference: The reference to change.
    ///   - name: The new name.
    /// - Returns: The entry, otherwise unchanged.
    package func renaming(_ reference: BodyReference, to name: String) -> HAR.Entry {
        guard name != reference.name, reference.pointer.components.count == 3 else { return self }
        let path = reference.pointer.components
        guard var message = self[path[0]]?.object, var body = message[path[1]]?.object else { return self }
        body[path[2]] = .string(JSONString(name))
        message[path[1]] = .object(body)
        var entry = self
        entry[path[0]] = .object(message)
        return entry
    }
}

extension Redaction {
    /// Returns the edits that redact a body.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - type: The media type with its parameters, or nil to detect the format from the content.
    /// - Returns: The edits, in order.
    mutating func bodyEdits(in body: UnsafeRawBufferPointer, as type: String?) -> [TextEdit] {
        let type = type.flatMap { MediaType($0) }
        let essence = type?.essence ?? ""
        if essence == "multipart/form-data" {
            if let boundary = MultipartPart.boundary(of: body, type: type) {
                return multipartEdits(in: body, boundary: boundary)
            }
        }
        if essence == "application/x-www-form-urlencoded" || type == nil && Self.isForm(body) {
            return (formEdits(in: body, as: .form) + plainEdits(in: body)).inOrder
        }
        if essence == "application/json" || essence.hasSuffix("+json") {
            return (jsonEdits(in: body) + plainEdits(in: body)).inOrder
        }
        if Self.beginsLikeJSON(body) { return textEdits(in: body) }
        if essence.contains("json") { return (textEdits(in: body) + jsonEdits(in: body)).inOrder }
        // A message loses nothing if the text of an unknown body is masked like a form.
        if type == nil, rules.mask != nil { return (textEdits(in: body) + formEdits(in: body, as: .form)).inOrder }
        return textEdits(in: body)
    }

    private mutating func multipartEdits(in body: UnsafeRawBufferPointer, boundary: [UInt8]) -> [TextEdit] {
        var edits: [TextEdit] = plainEdits(in: body)
        for part in MultipartPart.parts(of: body, boundary: boundary, tolerance: .all) where !part.content.isEmpty {
            let value = body[from: part.content.lowerBound, to: part.content.upperBound]
            if let name = part.name, isCandidate(name, in: .form),
                let replacement = replacement(for: NamedValue(name: name, bytes: [UInt8](value), context: .form))
            {
                edits.append(TextEdit(range: part.content, replacement: replacement))
            } else {
                let inner = deeper { $0.bodyEdits(in: value, as: part.type ?? "text/plain") }
                edits += inner.map { $0.moved(by: part.content.lowerBound) }
            }
        }
        return edits.inOrder
    }

    /// Whether a body looks like a form: it has names and values, and no character that a form would escape.
    private static func isForm(_ body: UnsafeRawBufferPointer) -> Bool {
        body.count < 1 << 20 && body.contains(UInt8(ascii: "="))
            && body.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>{}".utf8.contains($0) }
    }
}
