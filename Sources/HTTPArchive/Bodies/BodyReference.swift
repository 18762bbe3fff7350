/// An entry's reference to a body that is stored in a separate file.
package struct BodyReference: Sendable {
    /// The path of the file, as written in the archive.
    package let name: String

    /// The media type of the body, or nil if the entry has none.
    package let mediaType: String?

    /// The JSON pointer to the path, relative to the entry.
    package let pointer: JSONPointer

    /// Returns whether the text of an entry may contain a reference, without parsing it.
    ///
    /// - Parameter text: The JSON text.
    /// - Returns: `false` if it contains none.
    package static func mayOccur(in text: [UInt8]) -> Bool {
        text.withUnsafeBytes { $0.firstOffset(of: field) } != nil
    }

    private static let field = Array("\"_file\"".utf8)

    /// Returns the references in an entry.
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
}

extension HAR.Entry {
    /// Returns the entry with a new file name for a body.
    ///
    /// - Parameters:
    ///   - reference: The reference to change.
    ///   - name: The new name.
    /// - Returns: The entry with the new name.
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
