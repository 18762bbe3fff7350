import Foundation
import ArchiveChecking
import HTTPArchive

/// Converts values of the wrong type to the type of a field.
enum FieldConversion {
    /// Converts a value.
    ///
    /// - Parameters:
    ///   - value: A value of the wrong type.
    ///   - field: The field.
    ///   - contentType: The media type in the header fields of the message, or nil.
    /// - Returns: A value of the right type, or nil if the value has no meaning for the field.
    static func convert(_ value: JSONValue, to field: HARField, contentType: String?) -> JSONValue? {
        if case .array(let values) = value, values.count == 1 {
            switch field.value {
            case .boolean, .date, .number, .size, .time, .optionalTime, .status:
                return isValid(values[0], field) ? values[0] : convert(values[0], to: field, contentType: contentType)
            default: break
            }
        }
        return switch field.value {
        case .text, .url: text(value, field)
        case .httpVersion:
            text(value, field).map { value.number == nil ? $0 : .string(JSONString("HTTP/\($0.text ?? "")")) }
        case .boolean: boolean(value).map(JSONValue.bool)
        case .date: value.number.flatMap { DateText.date(ofNumber: $0.text) }.map { .string(JSONString($0)) }
        case .number, .size, .time, .optionalTime, .status: number(value, field).map(JSONValue.number)
        case .object(let kind): object(value, kind, contentType).map(JSONValue.object)
        case .array(let kind): list(value, kind).map(JSONValue.array)
        }
    }

    /// Returns the value in an object of MongoDB, such as `{"$numberInt":"200"}`, or nil for any other value.
    static func extended(_ value: JSONValue) -> JSONValue? {
        guard let members = value.object?.members, members.count == 1, extendedNames.contains(members[0].name.text)
        else { return nil }
        return extended(members[0].value) ?? members[0].value
    }

    private static let extendedNames = [
        "$date", "$numberDecimal", "$numberDouble", "$numberInt", "$numberLong", "$oid",
    ]

    private static func isValid(_ value: JSONValue, _ field: HARField) -> Bool {
        switch field.value {
        case .boolean: value.bool != nil
        case .date: value.text.flatMap(HAR.date) != nil
        default: value.number != nil
        }
    }

    // MARK: Scalars

    private static func text(_ value: JSONValue, _ field: HARField) -> JSONValue? {
        switch value {
        case .number(let number): .string(JSONString(number.text))
        case .bool(let value): .string(JSONString(String(value)))
        // A body that was recorded as JSON instead of text.
        case .object, .array:
            field.name == "text" || field.name == "value"
                ? .string(JSONString(String(decoding: value.data(), as: UTF8.self))) : nil
        case .string, .null: nil
        }
    }

    private static func boolean(_ value: JSONValue) -> Bool? {
        switch value.text?.lowercased() ?? value.number?.text {
        case "true", "1", "yes", "on": true
        case "false", "0", "no", "off": false
        default: nil
        }
    }

    private static func number(_ value: JSONValue, _ field: HARField) -> JSONNumber? {
        guard let text = value.text?.trimmingCharacters(in: .whitespacesAndNewlines), text.utf8.count <= 64 else {
            return nil
        }
        if let number = JSONNumber(string: text.utf8) { return integer(number, field) ?? number }
        if case .status = field.value, let line = text.wholeMatch(of: #/HTTP/[\d.]+ +(\d{3})(?: .*)?/#) {
            return JSONNumber(text: String(line.1))
        }
        guard let match = text.wholeMatch(of: #/([-+]?[\d.,]+(?:[eE][-+]?\d+)?) ?([A-Za-zµ ]*)/#),
            let number = JSONNumber(string: match.1.utf8)
        else { return nil }
        switch (field.value, match.2.lowercased()) {
        case (.time, "ms"), (.optionalTime, "ms"), (.size, "b"), (.size, "bytes"), (.size, "byte"):
            return number
        case (.time, "s"), (.optionalTime, "s"): return number.double.flatMap { JSONNumber($0 * 1000) }
        case (.status, _): return match.1.utf8.count == 3 ? number : nil
        default: return nil
        }
    }

    /// Returns a status or a size as an integer without a fraction or an exponent, or nil if it is not an integer.
    static func integer(_ number: JSONNumber, _ field: HARField) -> JSONNumber? {
        switch field.value {
        case .status, .size: number.int.map { JSONNumber($0) }
        default: nil
        }
    }

    // MARK: Objects

    private static func object(_ value: JSONValue, _ kind: HARObjectKind, _ contentType: String?) -> JSONObject? {
        switch value {
        // PHP and Lua write an empty object as an empty array.
        case .array([]): return [:]
        case .array where kind == .postData: return ["mimeType": type(contentType), "params": value]
        case .array(let values) where values.count == 1: return values[0].object
        case .string(let string):
            if string.text.first == "{", let parsed = try? JSONValue(parsing: string.text).object { return parsed }
            return object(string, kind, contentType)
        case .number where kind == .response: return ["status": value]
        default: return nil
        }
    }

    private static func object(_ text: JSONString, _ kind: HARObjectKind, _ contentType: String?) -> JSONObject? {
        switch kind {
        case .postData: return ["mimeType": type(contentType), "text": .string(text)]
        case .content:
            return [
                "size": .number(JSONNumber(text.bytes.count)), "mimeType": type(contentType), "text": .string(text),
            ]
        case .creator: return ["name": .string(text), "version": ""]
        case .request:
            let words = text.text.split(separator: " ")
            guard let url = words.first(where: { LiteralURL($0).scheme != nil }) else { return nil }
            return [
                "method": .string(JSONString(words[0] == url ? "" : String(words[0]))),
                "url": .string(JSONString(String(url))),
            ]
        default: return text.text.isEmpty ? [:] : nil
        }
    }

    private static func type(_ contentType: String?) -> JSONValue { .string(JSONString(contentType ?? "")) }

    // MARK: Lists

    private static func list(_ value: JSONValue, _ kind: HARObjectKind) -> [JSONValue]? {
        switch value {
        case .object(let object): list(object, kind)
        case .string(let string):
            string.text.first == "["
                ? (try? JSONValue(parsing: string.text).array) ?? lines(string.text, kind) : lines(string.text, kind)
        default: nil
        }
    }

    /// Converts an object whose members are the elements, keyed by name.
    private static func list(_ object: JSONObject, _ kind: HARObjectKind) -> [JSONValue] {
        let members = object.members
        if members.contains(where: { $0.name == "name" && $0.value.text != nil }),
            members.contains(where: { $0.name == "value" }) || kind == .parameter
        {
            return [.object(object)]
        }
        if kind == .page {
            guard object["id"] == nil, object["startedDateTime"] == nil else { return [.object(object)] }
            return members.map { member in
                guard var page = member.value.object else { return member.value }
                if page["id"] == nil { page["id"] = .string(member.name) }
                return .object(page)
            }
        }
        return pairs(in: object)
    }

    /// Returns the names and values of an object, whose values can be arrays of values.
    static func pairs(in object: JSONObject) -> [JSONValue] {
        object.members.flatMap { member in
            (member.value.array ?? [member.value]).map { named(member.name, $0) }
        }
    }

    private static func named(_ name: JSONString, _ value: JSONValue) -> JSONValue {
        if var object = value.object, object["value"] != nil {
            if object["name"] == nil { object.members.insert(.init(name: "name", value: .string(name)), at: 0) }
            return .object(object)
        }
        return ["name": .string(name), "value": value == .null ? "" : value]
    }

    /// Converts a list that was recorded as text.
    private static func lines(_ text: String, _ kind: HARObjectKind) -> [JSONValue]? {
        switch kind {
        case .header: headerLines(text).compactMap { element(.string(JSONString($0)), kind) }
        case .cookie: CookieHeader.cookies(sentIn: text).map { .object($0.fields) }
        case .queryParameter, .parameter: parameters(text.hasPrefix("?") ? text.dropFirst() : text[...])
        default: text.isEmpty ? [] : nil
        }
    }

    /// Returns the lines of a header section, each joined with the folded lines after it (RFC 9112, section 5.2).
    private static func headerLines(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if let first = line.first, first.isWhitespace, !lines.isEmpty {
                lines[lines.count - 1] += " " + line.trimmingCharacters(in: .whitespaces)
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// Returns the parameters of a query or a form.
    static func parameters(_ text: Substring) -> [JSONValue] {
        FormEncoding.items(of: text, invalidText: .unchanged).map { item in
            ["name": .string(JSONString(item.name)), "value": .string(JSONString(item.value))]
        }
    }

    /// Converts an element of a list that is not an object.
    ///
    /// - Parameters:
    ///   - value: The element.
    ///   - kind: The kind of the elements.
    /// - Returns: The element, or nil if it contains nothing.
    static func element(_ value: JSONValue, _ kind: HARObjectKind) -> JSONValue? {
        if value == .null || value == .array([]) { return nil }
        if case .array(let pair) = value, pair.count == 2, let name = pair[0].text, kind != .page {
            return named(JSONString(name), pair[1])
        }
        let text = value.text ?? String(decoding: value.data(), as: UTF8.self)
        if kind == .page { return ["id": .string(JSONString(text))] }
        let separator: Character = kind == .header ? ":" : "="
        // The name of a pseudo-header begins with a colon.
        let start = text.hasPrefix(":") ? text.index(after: text.startIndex) : text.startIndex
        let end = text[start...].firstIndex(of: separator) ?? text.endIndex
        let rest = end < text.endIndex ? String(text[text.index(after: end)...]) : ""
        return [
            "name": .string(JSONString(String(text[..<end]).trimmingCharacters(in: .whitespaces))),
            "value": .string(JSONString(rest.trimmingCharacters(in: .whitespaces))),
        ]
    }
}

/// Header fields, cookies and parameters with other names, and bodies as arrays of bytes.
extension FieldConversion {
    /// The names that other tools use for `name` and `value`, in lowercase.
    private static let nameKeys = ["name", "key", "header", "field"]
    private static let valueKeys = ["value", "val"]

    /// Converts an object that represents header fields, cookies or parameters in another form.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - kind: The kind of the list's elements.
    /// - Returns: The elements, or nil if the object has the required form, or no known one.
    static func items(in object: JSONObject, _ kind: HARObjectKind) -> [JSONObject]? {
        switch kind {
        case .header, .cookie, .queryParameter, .parameter: break
        default: return nil
        }
        guard let renamed = renamed(object) ?? (object["name"] == nil ? nil : object) else {
            return single(object, kind)
        }
        guard let values = renamed["value"]?.array, !values.isEmpty, values.allSatisfy(isScalar) else {
            return renamed == object ? nil : [renamed]
        }
        return values.map { value in
            var item = renamed
            item["value"] = value
            return item
        }
    }

    /// Returns an object with its name and value under the names of HAR, or nil if it has no other names.
    private static func renamed(_ object: JSONObject) -> JSONObject? {
        guard object["name"] == nil || object["value"] == nil else { return nil }
        var members = object.members
        var isChanged = false
        for (name, keys) in [("name", nameKeys), ("value", valueKeys)] as [(JSONString, [String])] {
            guard !members.contains(where: { $0.name == name }) else { continue }
            let matches = members.indices.filter { keys.contains(members[$0].name.text.lowercased()) }
            guard let index = matches.first, matches.count == 1, isScalar(members[index].value) || name == "value"
            else {
                continue
            }
            members[index].name = name
            isChanged = true
        }
        guard isChanged, members.contains(where: { $0.name == "name" }) else { return nil }
        return JSONObject(members: members)
    }

    /// Converts an object whose members are names and values, such as `{"Accept":"*/*"}`.
    private static func single(_ object: JSONObject, _ kind: HARObjectKind) -> [JSONObject]? {
        let members = object.members
        guard !members.isEmpty,
            members.allSatisfy({ member in
                kind.table.field(named: member.name.text) == nil && !member.name.text.hasPrefix("_")
                    && (isScalar(member.value) || member.value.array?.allSatisfy(isScalar) == true)
            })
        else { return nil }
        return pairs(in: object).compactMap(\.object)
    }

    private static func isScalar(_ value: JSONValue) -> Bool { value.array == nil && value.object == nil }

    /// Returns the bytes of a body that was recorded as an array or as a `Buffer` of Node, or nil for any other value.
    ///
    /// An array of small numbers can also be a body in JSON.
    ///
    /// - Parameters:
    ///   - value: The text of the body.
    ///   - body: The object that contains it.
    /// - Returns: The bytes.
    static func bytes(_ value: JSONValue, in body: JSONObject) -> [UInt8]? {
        if let object = value.object {
            guard object.text("type") == "Buffer", let data = object["data"]?.array else { return nil }
            return bytes(data)
        }
        guard let elements = value.array, !elements.isEmpty, let bytes = bytes(elements) else { return nil }
        let isJSON = body.text("mimeType")?.lowercased().contains("json") == true
        return isJSON && body["size"]?.int != bytes.count ? nil : bytes
    }

    private static func bytes(_ elements: [JSONValue]) -> [UInt8]? {
        let bytes = elements.compactMap { $0.int.flatMap { UInt8(exactly: $0) } }
        return bytes.count == elements.count ? bytes : nil
    }
}
