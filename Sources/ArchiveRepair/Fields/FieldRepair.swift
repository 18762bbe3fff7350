import ArchiveChecking
import Foundation
import HTTPArchive

/// Repairs the fields of an object: missing fields, null in required fields, values of the wrong type, and invalid text.
struct FieldRepair {
    /// The maximum number of notes about one object.
    private static let maximumNoteCount = 10_000

    /// The repairs so far.
    private(set) var notes: [RepairNote.Draft] = []

    /// The number of changes, which can exceed the number of notes.
    private(set) var changeCount = 0

    /// The start time of the entry or, if it has none, the time to use instead.
    private var date: String

    /// Whether the value that was repaired last is uncertain, so that the original is kept.
    private var keepsOriginal = false

    /// The value that is being repaired, or nil if it is not in the text.
    private var node: JSONNode?

    private var path: [String] = []
    private var offset = 0

    /// The header fields of the request or response that is being repaired.
    private var headers: [HAR.Header] = []

    /// Creates a repair of one object.
    ///
    /// - Parameter defaultDate: The start time for an entry or a page that has none.
    init(defaultDate: String) {
        date = defaultDate
    }

    private mutating func note(_ kind: RepairNote.Kind, _ message: String? = nil, under name: String? = nil) {
        changeCount += 1
        guard notes.count < Self.maximumNoteCount else { return }
        notes.append(
            .init(kind: kind, message: message ?? kind.message, path: path + (name.map { [$0] } ?? []), offset: offset))
    }

    // MARK: Objects

    /// Repairs an object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - kind: The kind of object.
    /// - Returns: The repaired object, which refers to the same text if nothing was repaired.
    mutating func repair(_ object: JSONObject, as kind: HARObjectKind) -> JSONObject {
        let oldCount = changeCount
        if kind == .entry, let text = object.text("startedDateTime"), HAR.date(text) != nil { date = text }
        let (start, outerHeaders) = (offset, headers)
        var draft = Draft(object)
        if kind == .content || kind == .postData { repairBytes(&draft, kind) }
        if kind == .request { markBase64(HAR.Request(fields: object).undeclaredBody, "postData", &draft) }
        if kind == .response { markBase64(HAR.Response(fields: object).undeclaredBody, "content", &draft) }
        // Other fields can depend on the header fields.
        for index in draft.members.indices.sorted(by: { draft.isHeaders($0) && !draft.isHeaders($1) }) {
            repairMember(at: index, of: &draft, kind)
            if draft.isHeaders(index) {
                let list = JSONObject(members: [draft.members[index]])
                headers = HAR.Request(fields: list).headers
            }
        }
        offset = start
        addDefaults(to: &draft, kind)
        if kind == .content || kind == .postData { repairFile(&draft) }
        if kind == .content { repairContent(&draft) }
        headers = outerHeaders
        return changeCount == oldCount ? object : JSONObject(members: draft.result)
    }

    /// The members of an object during its repair.
    private struct Draft {
        var members: [JSONObject.Member]

        /// The values in the text.
        let nodes: [JSONNode]

        /// The indices of members whose value is replaced with the default.
        var replaced: [Int] = []

        /// The names of several members.
        ///
        /// A member that cannot be converted does not replace another one.
        let repeated: Set<String>

        /// The indices of members to remove.
        var removed: Set<Int> = []

        init(_ object: JSONObject) {
            var nodes: [JSONNode] = []
            object.node?.forEachMember { _, value in
                nodes.append(value)
                return true
            }
            members = object.members
            var names: Set<String> = []
            repeated = Set(members.map(\.name.text).filter { !names.insert($0).inserted })
            self.nodes = nodes.count == members.count ? nodes : []
        }

        func isHeaders(_ index: Int) -> Bool { members[index].name == "headers" }

        func index(of name: String) -> Int? {
            members.indices.last { members[$0].name.text == name && !removed.contains($0) }
        }

        var object: JSONObject { JSONObject(members: members) }

        var result: [JSONObject.Member] { members.indices.filter { !removed.contains($0) }.map { members[$0] } }
    }

    private mutating func repairMember(at index: Int, of draft: inout Draft, _ kind: HARObjectKind) {
        let member = draft.members[index]
        let name = member.name.text
        node = index < draft.nodes.count ? draft.nodes[index] : nil
        offset = node?.documentRange.lowerBound ?? offset
        draft.members[index].name = cleaned(name: member.name)
        path.append(name)
        defer { path.removeLast() }
        guard let field = kind.table.field(named: name) else {
            draft.members[index].value = cleaned(member.value)
            return
        }
        keepsOriginal = false
        let value = repaired(member.value, field, kind)
        if value == nil || keepsOriginal, member.value != .null, member.value != "" {
            let original = "_original" + name.prefix(1).uppercased() + name.dropFirst()
            draft.members.append(.init(name: JSONString(original), value: cleaned(member.value)))
        }
        keepsOriginal = false
        if let value {
            draft.members[index].value = value
        } else {
            if field.absence == nil || draft.repeated.contains(name) {
                draft.removed.insert(index)
            } else {
                draft.replaced.append(index)
            }
        }
    }

    /// Returns the repaired value of a field, or nil if the value has no meaning for the field.
    private mutating func repaired(_ value: JSONValue, _ field: HARField, _ kind: HARObjectKind) -> JSONValue? {
        if let inner = FieldConversion.extended(value) {
            note(.wrongType, "Replaced an object in `\(field.name)` with its value.")
            return repaired(inner, field, kind)
        }
        switch (field.value, value) {
        case (_, .null):
            guard field.absence != nil else { return value }
            note(.nullField, "Replaced null in `\(field.name)`.")
            return nil
        case (.object(let kind), .object(let object)): return .object(repair(object, as: kind))
        case (.array(let kind), .array(let elements)):
            let offsets = node?.kind == .array ? node?.elements.map(\.documentRange.lowerBound) : nil
            return .array(repaired(elements, kind, offsets: offsets ?? []))
        case (.date, .string(let text)): return repairedDate(text, field)
        case (.text, .string(let text)) where kind == .content && field.name == "text" && text.isLossy: return value
        case (.text, .string), (.url, .string), (.httpVersion, .string): return cleaned(value)
        case (.boolean, .bool): return value
        case (.number, .number(let number)), (.size, .number(let number)), (.time, .number(let number)),
            (.optionalTime, .number(let number)), (.status, .number(let number)):
            guard Int(number.text) == nil, let integer = FieldConversion.integer(number, field) else { return value }
            note(.wrongType, "Converted `\(field.name)` to an integer.")
            return .number(integer)
        default: break
        }
        let type = headers.first { $0.name.lowercased() == "content-type" }?.value
        guard let converted = FieldConversion.convert(value, to: field, contentType: type) else {
            note(.wrongType, "Replaced \(value.kindTitle) in `\(field.name)`, which must be \(field.type).")
            return nil
        }
        note(.wrongType, "Converted `\(field.name)` from \(value.kindTitle) to \(field.type).")
        switch (field.value, converted) {
        case (.object(let kind), .object(let object)): return .object(repair(object, as: kind))
        case (.array(let kind), .array(let elements)): return .array(repaired(elements, kind))
        default: return converted
        }
    }

    private mutating func repaired(
        _ elements: [JSONValue], _ kind: HARObjectKind, offsets: [Int] = []
    ) -> [JSONValue] {
        var result: [JSONValue] = []
        let start = offset
        for (index, element) in elements.enumerated() {
            offset = index < offsets.count ? offsets[index] : start
            path.append(String(result.count))
            var objects = [element.object].compactMap(\.self)
            if objects.isEmpty {
                objects = [FieldConversion.element(element, kind)?.object].compactMap(\.self)
                guard !objects.isEmpty else {
                    path.removeLast()
                    let removed = element == .null ? "null" : "an empty array"
                    note(element == .null ? .nullField : .wrongType, "Removed \(removed) from `\(path.last ?? "")`.")
                    continue
                }
                note(.wrongType, "Converted \(element.kindTitle) to \(kind.title).")
            } else if let converted = FieldConversion.items(in: objects[0], kind) {
                note(.wrongType, "Converted an object with other names to \(kind.title).")
                objects = converted
            }
            for object in objects {
                path[path.count - 1] = String(result.count)
                result.append(.object(repair(object, as: kind)))
            }
            path.removeLast()
        }
        return result
    }

    private mutating func repairedDate(_ text: JSONString, _ field: HARField) -> JSONValue? {
        if HAR.date(text.text) != nil { return .string(text) }
        if let date = DateText(text.text) {
            keepsOriginal = !date.isCertain
            note(
                .dateFormat,
                date.isCertain
                    ? "Converted `\(field.name)` to ISO 8601 with an offset from UTC."
                    : "Converted `\(field.name)`, whose time zone or order of day and month is not certain, to ISO 8601."
            )
            let isWithoutOffset = HAR.date(text.text + "Z") != nil
            return .string(JSONString(isWithoutOffset ? text.text + "Z" : date.text))
        }
        guard field.absence != nil else { return cleaned(.string(text)) }
        note(.dateFormat, "Replaced `\(field.name)`, which is not a date.")
        return nil
    }

    /// Returns the name of a member without invalid Unicode.
    private mutating func cleaned(name: JSONString) -> JSONString {
        guard name.isLossy else { return name }
        note(.invalidUnicode, "Replaced invalid Unicode with U+FFFD in a name.")
        return JSONString(name.text)
    }

    /// Returns a value without invalid Unicode.
    mutating func cleaned(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text) where text.isLossy:
            note(.invalidUnicode, "Replaced invalid Unicode with U+FFFD.")
            return .string(JSONString(text.text))
        case .array(let elements):
            let count = changeCount
            let result = elements.map { cleaned($0) }
            return changeCount == count ? value : .array(result)
        case .object(let object):
            let count = changeCount
            let members = object.members.map {
                JSONObject.Member(name: cleaned(name: $0.name), value: cleaned($0.value))
            }
            return changeCount == count ? value : .object(JSONObject(members: members))
        default: return value
        }
    }

    // MARK: Defaults

    private mutating func addDefaults(to draft: inout Draft, _ kind: HARObjectKind) {
        for index in draft.replaced {
            let name = draft.members[index].name.text
            guard let field = kind.table.field(named: name) else { continue }
            draft.members[index].value = defaultValue(of: field, kind, draft.object)
        }
        for field in kind.table.fields(in: kind.table.required) where draft.index(of: field.name) == nil {
            note(.missingField, "Added the missing field `\(field.name)`.", under: field.name)
            let value = defaultValue(of: field, kind, draft.object)
            draft.members.append(.init(name: JSONString(field.name), value: value))
        }
    }

    /// Returns the value for a required field that is missing: a value that other fields imply, or a value that means
    /// that nothing is known.
    private mutating func defaultValue(of field: HARField, _ kind: HARObjectKind, _ object: JSONObject) -> JSONValue {
        switch field.value {
        case .date: return .string(JSONString(date))
        case .status: return 0
        case .boolean: return false
        case .object(let kind):
            // Only the object itself is reported, not each of its fields.
            let (notes, path) = (notes, path)
            defer { (self.notes, self.path) = (notes, path) }
            return .object(repair([:], as: kind))
        case .array: return .array(impliedElements(of: field, kind, object))
        case .text, .url, .httpVersion: return .string(JSONString(impliedText(of: field, kind, object)))
        case .size where kind == .content: return .number(JSONNumber(HAR.Content(fields: object).knownSize ?? -1))
        case .time where kind == .entry: return .milliseconds(HAR.Entry(fields: object).timings.sum)
        case .number, .size, .time, .optionalTime: return -1
        }
    }

    private func impliedElements(of field: HARField, _ kind: HARObjectKind, _ object: JSONObject) -> [JSONValue] {
        switch (kind, field.name) {
        case (.request, "queryString"):
            return FieldConversion.parameters(LiteralURL(HAR.Request(fields: object).url).query.dropFirst())
        case (.request, "cookies"):
            return headers.filter { $0.name.lowercased() == "cookie" }
                .flatMap { CookieHeader.cookies(sentIn: $0.value) }.map { .object($0.fields) }
        case (.response, "cookies"):
            let now = HAR.date(date) ?? Date(timeIntervalSince1970: 0)
            return headers.filter { $0.name.lowercased() == "set-cookie" }
                .flatMap { $0.value.split(whereSeparator: \.isNewline) }
                .compactMap { CookieHeader.cookie(String($0), at: now) }.map { .object($0.fields) }
        default: return []
        }
    }

    private func impliedText(of field: HARField, _ kind: HARObjectKind, _ object: JSONObject) -> String {
        func header(_ name: String) -> String { headers.first { $0.name.lowercased() == name }?.value ?? "" }
        switch (kind, field.name) {
        case (.log, "version"): return "1.2"
        case (.content, "mimeType"), (.postData, "mimeType"): return header("content-type")
        case (.response, "redirectURL"):
            return (300...399).contains(HAR.Response(fields: object).status) ? header("location") : ""
        default: return ""
        }
    }

    // MARK: Bodies

    /// Encodes a body that was recorded as an array of bytes.
    private mutating func repairBytes(_ draft: inout Draft, _ kind: HARObjectKind) {
        guard let index = draft.index(of: "text"),
            let bytes = FieldConversion.bytes(draft.members[index].value, in: draft.object)
        else { return }
        note(.wrongType, "Encoded an array of bytes in base64.", under: "text")
        draft.members[index].value = .string(JSONString(Data(bytes).base64EncodedString()))
        // HAR defines `encoding` only for responses.
        let name = kind == .content ? "encoding" : "_encoding"
        if let encoding = draft.index(of: name) { draft.removed.insert(encoding) }
        draft.members.append(.init(name: JSONString(name), value: "base64"))
    }

    /// Marks the text of a body in Base64 as such.
    private mutating func markBase64(_ undeclared: InterpretedBody?, _ name: String, _ draft: inout Draft) {
        guard let undeclared, undeclared.isUnmarkedBase64, let index = draft.index(of: name),
            var body = draft.members[index].value.object
        else { return }
        note(.missingEncoding, under: name)
        let isURL = body.text("text")?.hasPrefix("data:") == true
        if isURL { body["text"] = .string(JSONString(undeclared.bytes.base64EncodedString())) }
        body[name == "content" ? "encoding" : "_encoding"] = "base64"
        draft.members[index].value = .object(body)
    }

    /// Renames the path of a file that may not be read.
    private mutating func repairFile(_ draft: inout Draft) {
        guard let index = draft.index(of: "_file"), let path = draft.members[index].value.text,
            HAR.BodyFolder.mayLeave(path)
        else { return }
        note(.fileOutsideFolder, under: "_originalFile")
        draft.members[index].name = "_originalFile"
    }

    /// Repairs the encoding of a body.
    private mutating func repairContent(_ draft: inout Draft) {
        guard let index = draft.index(of: "text"), case .string(let text) = draft.members[index].value else { return }
        let encoding = draft.index(of: "encoding")
        if let encoding, draft.members[encoding].value.text?.lowercased() == "base64" {
            guard Base64Text(text.text).isMalformed else { return }
            note(.invalidBase64)
            draft.removed.insert(encoding)
            draft.members[index].value = .string(JSONString(text.text))
        } else if text.isLossy {
            if encoding == nil, String(validating: text.bytes, as: UTF8.self) == nil {
                note(.invalidUnicode, "Encoded bytes that are not valid UTF-8 in base64.", under: "text")
                draft.members[index].value = .string(JSONString(Data(text.bytes).base64EncodedString()))
                draft.members.append(.init(name: "encoding", value: "base64"))
            } else {
                note(.invalidUnicode, "Replaced invalid Unicode with U+FFFD.", under: "text")
                draft.members[index].value = .string(JSONString(text.text))
            }
        }
    }
}

extension HAR.Timings {
    /// The sum of the known durations in milliseconds, or nil if none is known.
    ///
    /// The duration of TLS is part of the connection's.
    fileprivate var sum: Double? {
        let known = [blocked, dns, connect, send, wait, receive].compactMap(\.self)
        return known.isEmpty ? nil : known.reduce(0, +)
    }
}

extension HAR.Content {
    /// The size of the recorded text after decoding, in bytes, or nil if there is no text.
    fileprivate var knownSize: Int? {
        guard let text = fields.text("text") else { return nil }
        if fields.text("encoding")?.lowercased() == "base64" { return Base64Text(text).byteCount }
        return text.utf8.count
    }
}
