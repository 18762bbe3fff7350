import Foundation
import HTTPArchive

/// A value in a recording, which knows its place there.
struct RecordedValue {
    /// The name of the one member of an object that stands for bytes, which JSON does not have; its value is Base64.
    static let binaryName = "!!binary"

    /// The value.
    let value: JSONValue

    /// Its place in the file.
    let pointer: JSONPointer

    private let file: String

    /// The place in the file of the nearest object around; `nil` where it is unknown.
    private let offset: Int?

    /// Takes the content of a file.
    init(_ value: JSONValue, in file: String) {
        self.init(value, at: JSONPointer(), in: file, offset: 0)
    }

    private init(_ value: JSONValue, at pointer: JSONPointer, in file: String, offset: Int?) {
        self.value = value
        self.pointer = pointer
        self.file = file
        self.offset = value.object.map { $0.byteRange?.lowerBound } ?? offset
    }

    // MARK: Values inside

    /// The value of a member; `nil` where there is none, where it is null, and in what is no object.
    subscript(name: String) -> RecordedValue? {
        guard let member = value[name], member != .null else { return nil }
        return inner(member, pointer.appending(name))
    }

    /// The value of a member that must be there; it may be null.
    func required(_ name: String) throws(HARError) -> RecordedValue {
        let place = pointer.appending(name)
        guard let member = try object()[name] else { throw inner(.null, place).error("'\(name)' is missing.") }
        return inner(member, place)
    }

    /// The members of an object, in their order; none of them is null.
    func members() throws(HARError) -> [(name: String, value: RecordedValue)] {
        try object().members.compactMap { member in
            let name = member.name.text
            return member.value == .null ? nil : (name, inner(member.value, pointer.appending(name)))
        }
    }

    /// The elements of an array.
    func elements() throws(HARError) -> [RecordedValue] {
        guard let array = value.array else { throw error("An array is wanted here.") }
        return array.enumerated().map { inner($1, pointer.appending($0)) }
    }

    private func inner(_ value: JSONValue, _ pointer: JSONPointer) -> RecordedValue {
        RecordedValue(value, at: pointer, in: file, offset: offset)
    }

    // MARK: The value itself

    /// The object.
    func object() throws(HARError) -> JSONObject {
        guard let object = value.object else { throw error("An object is wanted here.") }
        return object
    }

    /// The text of a string.
    func text() throws(HARError) -> String {
        guard let text = value.text else { throw error("A string is wanted here.") }
        return text
    }

    /// The integer, which may stand in a string.
    func int() throws(HARError) -> Int {
        guard let int = value.int ?? value.text.flatMap({ Int($0) }) else { throw error("An integer is wanted here.") }
        return int
    }

    /// The status code of an answer.
    func status() throws(HARError) -> Int {
        let status = try int()
        guard (100...599).contains(status) else { throw error("A status code from 100 to 599 is wanted here.") }
        return status
    }

    /// The boolean.
    func bool() throws(HARError) -> Bool {
        guard let bool = value.bool else { throw error("true or false is wanted here.") }
        return bool
    }

    /// The header fields of an object whose values are texts, or arrays of texts for names that stand more than once.
    func headers() throws(HARError) -> [HAR.Header] {
        var headers: [HAR.Header] = []
        for (name, value) in try members() {
            let texts = value.value.array == nil ? [value] : try value.elements()
            for text in texts { headers.append(HAR.Header(name: name, value: try text.scalarText())) }
        }
        return headers
    }

    /// The text of a string, a number or a boolean.
    func scalarText() throws(HARError) -> String {
        switch value {
        case .string(let string): return string.text
        case .number(let number): return number.text
        case .bool(let bool): return bool ? "true" : "false"
        default: throw error("A string is wanted here.")
        }
    }

    /// The bytes of a string, in UTF-8; or those of a YAML scalar that is binary.
    func bytes() throws(HARError) -> Data {
        guard let binary = value[Self.binaryName]?.text else { return Data(try text().utf8) }
        return try Self.decoded(binary, at: self)
    }

    /// The bytes that a string has in Base64, with or without line breaks.
    func base64Bytes() throws(HARError) -> Data { try Self.decoded(try text(), at: self) }

    private static func decoded(_ text: String, at place: RecordedValue) throws(HARError) -> Data {
        let clean = text.filter { !$0.isWhitespace }
        guard let bytes = Data(base64Encoded: clean) else { throw place.error("The text is no Base64.") }
        return bytes
    }

    /// A time: ISO 8601 with or without an offset, or as in header fields.
    func date() throws(HARError) -> Date {
        let text = try text()
        guard let date = HAR.date(text) ?? HAR.date(text + "Z") ?? CookieDate.date(text) else {
            throw error("A time is wanted here.")
        }
        return date
    }

    /// An error at this place, whose message says what is wrong without the value.
    func error(_ message: String) -> HARError {
        HARError(.malformedRecording, message, at: .init(file: file, pointer: pointer, byteOffset: offset))
    }

    /// The members that nobody read, as fields of an archive's object.
    ///
    /// - Parameter names: The names of those that were read.
    /// - Returns: The others, each with an underscore in front of its name.
    func rest(besides names: Set<String>) -> [JSONObject.Member] {
        (value.object?.members ?? []).compactMap { member in
            let name = member.name.text
            guard !names.contains(name) else { return nil }
            return .init(name: JSONString(name.hasPrefix("_") ? name : "_" + name), value: member.value)
        }
    }
}
