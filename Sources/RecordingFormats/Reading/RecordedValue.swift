package import Foundation
package import HTTPArchive

/// A JSON value in a recording, with its location.
package struct RecordedValue {
    /// The name of the only member of an object that represents bytes.
    ///
    /// The member's value is Base64. Parsers of formats with binary values, such as YAML, return such objects.
    package static let binaryName = "!!binary"

    /// The value.
    package let value: JSONValue

    /// The JSON pointer of the value in the file.
    package let pointer: JSONPointer

    private let file: String

    /// The offset in bytes of this object or the nearest enclosing object, or `nil` if it is unknown.
    private let offset: Int?

    /// Creates the root value of a file.
    init(_ value: JSONValue, in file: String) {
        self.init(value, at: JSONPointer(), in: file, offset: 0)
    }

    private init(_ value: JSONValue, at pointer: JSONPointer, in file: String, offset: Int?) {
        self.value = value
        self.pointer = pointer
        self.file = file
        self.offset = value.object.map { $0.byteRange?.lowerBound } ?? offset
    }

    // MARK: Nested values

    /// The value of a member, or `nil` if the member is missing or null, or if this value is not an object.
    package subscript(name: String) -> RecordedValue? {
        guard let member = value[name], member != .null else { return nil }
        return inner(member, pointer.appending(name))
    }

    /// Returns the value of a required member, which may be null.
    package func required(_ name: String) throws(HARError) -> RecordedValue {
        let location = pointer.appending(name)
        guard let member = try object()[name] else {
            throw inner(.null, location).error("The member '\(name)' is missing.")
        }
        return inner(member, location)
    }

    /// Returns the members of an object whose values are not null, in order.
    package func members() throws(HARError) -> [(name: String, value: RecordedValue)] {
        try object().members.compactMap { member in
            let name = member.name.text
            return member.value == .null ? nil : (name, inner(member.value, pointer.appending(name)))
        }
    }

    /// Returns the elements of an array.
    package func elements() throws(HARError) -> [RecordedValue] {
        guard let array = value.array else { throw mismatch("an array") }
        return array.enumerated().map { inner($1, pointer.appending($0)) }
    }

    private func inner(_ value: JSONValue, _ pointer: JSONPointer) -> RecordedValue {
        RecordedValue(value, at: pointer, in: file, offset: offset)
    }

    // MARK: Typed values

    /// Returns the value as an object.
    package func object() throws(HARError) -> JSONObject {
        guard let object = value.object else { throw mismatch("an object") }
        return object
    }

    /// Returns the text of a string.
    package func text() throws(HARError) -> String {
        guard let text = value.text else { throw mismatch("a string") }
        return text
    }

    /// Returns an integer, which can be stored as a string.
    package func int() throws(HARError) -> Int {
        guard let int = value.int ?? value.text.flatMap({ JSONNumber(string: $0.utf8)?.int }) else {
            throw mismatch("an integer")
        }
        return int
    }

    /// Returns the status code of a response.
    package func status() throws(HARError) -> Int {
        let status = try int()
        guard HAR.Response.statuses.contains(status) else {
            throw error("Expected a status code from 100 to 999, found \(status).")
        }
        return status
    }

    /// Returns a Boolean.
    func bool() throws(HARError) -> Bool {
        guard let bool = value.bool else { throw mismatch("true or false") }
        return bool
    }

    /// Returns header fields from an object whose values are strings, or arrays of strings for repeated names.
    package func headers() throws(HARError) -> [HAR.Header] {
        var headers: [HAR.Header] = []
        for (name, value) in try members() {
            let texts = value.value.array == nil ? [value] : try value.elements()
            for text in texts { headers.append(HAR.Header(name: name, value: try text.scalarText())) }
        }
        return headers
    }

    /// Returns the text of a string, a number or a Boolean.
    package func scalarText() throws(HARError) -> String {
        switch value {
        case .string(let string): return string.text
        case .number(let number): return number.text
        case .bool(let bool): return bool ? "true" : "false"
        default: throw mismatch("a string")
        }
    }

    /// Returns the bytes of a Base64 string, with or without line breaks.
    package func base64Bytes() throws(HARError) -> Data { try bytes(base64: text()) }

    /// Decodes Base64, with or without line breaks.
    package func bytes(base64 text: String) throws(HARError) -> Data {
        guard let bytes = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
            throw error("Expected Base64, found a string that is not valid Base64.")
        }
        return bytes
    }

    /// Returns the error for a value that does not have the expected type.
    func mismatch(_ expected: String) -> HARError {
        error("Expected \(expected), found \(value.kindTitle).")
    }

    /// Returns an error at this location.
    ///
    /// The message must not contain the value, because it can be a secret.
    package func error(_ message: String) -> HARError {
        HARError(.malformedRecording, message, at: .init(file: file, pointer: pointer, byteOffset: offset))
    }

    /// Returns the members that were not read, as custom fields for an archive.
    ///
    /// - Parameter names: The names of the members that were read.
    /// - Returns: All other members, with names that begin with an underscore.
    package func rest(besides names: Set<String>) -> [JSONObject.Member] {
        (value.object?.members ?? []).compactMap { member in
            let name = member.name.text
            guard !names.contains(name) else { return nil }
            return .init(name: JSONString(name.hasPrefix("_") ? name : "_" + name), value: member.value)
        }
    }
}
