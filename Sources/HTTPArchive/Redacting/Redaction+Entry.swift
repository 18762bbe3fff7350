import Foundation

extension Redaction {
    /// The role of an object or array in an archive, which determines how its strings are interpreted.
    enum Part {
        case entry, request, response, postData, content, page
        case headers, header, cookies, cookie, items, item, params, param
        case other

        /// Whether the part is the body of a request or a response.
        var isBody: Bool { self == .postData || self == .content }

        /// Whether the part is an object with a name and a value.
        var isNamedValue: Bool { self == .header || self == .cookie || self == .item || self == .param }
    }

    /// The maximum number of rounds for each string.
    ///
    /// Several rounds may be needed, because replacing one secret may expose another.
    private static let mostRounds = 8

    /// Returns a value after replacing all secrets that this pass can find.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: The role of the value.
    ///   - name: The name that applies to a string or a number.
    /// - Returns: The redacted value, or nil if it has no secrets.
    mutating func redacted(_ value: JSONValue, as part: Part, named name: String?) -> JSONValue? {
        // By default, values from archives are at most 512 levels deep. Only values created in code are deeper.
        guard pointer.components.count < 600 else { return nil }
        switch value {
        case .object(let object):
            let wasInArray = isInArray
            isInArray = false
            defer { isInArray = wasInArray }
            return redacted(object, as: part, named: name).map(JSONValue.object)
        case .array(let elements):
            if elements.isEmpty { return nil }
            let element: Part =
                switch part {
                case .headers: .header
                case .cookies: .cookie
                case .items: .item
                case .params: .param
                default: .other
                }
            var result = elements
            var isChanged = false
            if part.isNamedValue, elements.count == 2, let name = elements[0].text {
                return at("1") { $0.redacted(elements[1], named: name, as: part) }.map { .array([elements[0], $0]) }
            }
            // A header field may be recorded as an array of two strings.
            let isNamed = name.map { isCandidate($0, in: .json) } ?? false
            let isPair = !isNamed && isInArray && elements.count == 2 && elements[1].text != nil
            let pairName = isPair ? elements[0].text.flatMap { isCandidate($0, in: .json) ? $0 : nil } : nil
            let wasInArray = isInArray
            isInArray = part == .other
            defer { isInArray = wasInArray }
            let plainFields = element == .header ? plainFields : nil
            for (index, value) in elements.enumerated() where plainFields?.contains(header: value) != true {
                let name = index == 1 ? pairName ?? name : name
                for _ in 0..<Self.mostRounds {
                    guard let changed = at(String(index), { $0.redacted(result[index], as: element, named: name) })
                    else { break }
                    result[index] = changed
                    isChanged = true
                    if value.object != nil || value.array != nil { break }
                }
            }
            return isChanged ? .array(result) : nil
        case .string(let string):
            if string.text.isEmpty { return nil }
            let field = name.flatMap { PlainFields.Field($0, string.text, isHeader: false) }
            return redacted(string.text, as: field) { $0.stringEdits(in: $1, named: name) }
        case .number(let number):
            guard let name, isCandidate(name, in: .number) else { return nil }
            return replacement(for: Array(number.text.utf8), named: name, in: .number)
                .map { .string(JSONString(String(decoding: $0, as: UTF8.self))) }
        case .bool, .null: return nil
        }
    }

    private mutating func redacted(_ object: JSONObject, as part: Part, named inherited: String?) -> JSONObject? {
        var members = object.members
        var result = object
        var isBodyChanged = false
        // The indices of members that the last round changed. Those members may contain newly exposed secrets.
        var changed: [Int] = []
        let pairName = part == .other ? pairName(of: members) : nil
        let inherited = part == .other ? inherited.flatMap { isPassedOn($0) ? $0 : nil } : nil
        for round in 0..<Self.mostRounds {
            var next: [Int] = []
            for position in 0..<(round == 0 ? members.count : changed.count) {
                let index = round == 0 ? position : changed[position]
                let value = members[index].value
                let name = members[index].name.text
                let secretName = inherited == nil && pairName == nil ? name : self.name(of: name, inherited, pairName)
                switch value {
                case .null, .bool: continue
                case .number where !part.isNamedValue && !isCandidate(secretName, in: .number): continue
                // Nested objects and arrays need only one round.
                case .object where round > 0, .array where round > 0: continue
                default: break
                }
                let new = at(name) { $0.redacted(member: name, secretName, value, of: result, as: part) }
                guard let new else { continue }
                members[index].value = new
                next.append(index)
                isBodyChanged = isBodyChanged || Self.part(named: name, of: part)?.isBody == true
            }
            if next.isEmpty { break }
            result = JSONObject(members: members)
            changed = next
        }
        if changed.isEmpty { return nil }
        if part == .entry, object.contains("_chunks"),
            result["response"]?["content"] != object["response"]?["content"]
        {
            result.removeChunkSizes()
        }
        return isBodyChanged ? withLengths(result, from: object, as: part) : result
    }

    /// Returns the name in a member such as `"name": "password"`, which applies to a sibling value, if it may belong to
    /// a secret.
    private func pairName(of members: [JSONObject.Member]) -> String? {
        for index in members.indices where PairRole(members[index].name.text) == .name {
            if let name = members[index].value.text, name.utf8.count <= 64, isCandidate(name, in: .json) { return name }
        }
        return nil
    }

    /// Returns the name that determines whether the value of a member is a secret.
    private func name(of member: String, _ inherited: String?, _ pairName: String?) -> String {
        if isCandidate(member, in: .json) { return member }
        if let pairName, PairRole(member) == .value { return pairName }
        return member.withUTF8Bytes(SecretNames.isProperty) ? member : inherited ?? member
    }

    /// Returns a message with the lengths of its new body, and with the digests of its old body replaced.
    private mutating func withLengths(_ message: JSONObject, from old: JSONObject, as part: Part) -> JSONObject {
        switch part {
        case .request: withLengths(HAR.Request(fields: message), from: HAR.Request(fields: old))
        case .response: withLengths(HAR.Response(fields: message), from: HAR.Response(fields: old))
        default: message
        }
    }

    private mutating func withLengths<Message: MessageWithBody>(_ message: Message, from old: Message) -> JSONObject {
        var message = message
        message.updateLengths(from: old)
        return withoutDigests(of: old.body.data, in: message.fields)
    }

    /// Returns the value of a member with its secrets replaced, or nil if it has no secrets.
    private mutating func redacted(
        member name: String, _ secretName: String, _ value: JSONValue, of object: JSONObject, as part: Part
    ) -> JSONValue? {
        let isContainer =
            switch value {
            case .object, .array: true
            default: false
            }
        if isContainer, let inner = Self.part(named: name, of: part) {
            undeclaredBody = inner.isBody ? Self.undeclaredBody(of: object, as: part) : nil
            guard undeclaredBody != nil else { return redacted(value, as: inner, named: nil) }
            defer { undeclaredBody = nil }
            guard var body = redacted(value, as: inner, named: nil)?.object else { return nil }
            // Redaction can change the evidence for the encoding.
            if body["text"] != value.object?["text"] { body[part == .request ? "_encoding" : "encoding"] = "base64" }
            return .object(body)
        }
        if part.isNamedValue, PairRole(name) == .value {
            return redacted(value, named: Self.name(of: object), as: part)
        }
        guard let text = value.text, name != "comment" else { return redacted(value, as: .other, named: secretName) }
        switch (part, name) {
        case (.request, "url"), (.response, "redirectURL"): return redacted(text) { $0.urlEdits(in: $1) }
        case (.postData, "text"), (.content, "text"):
            let encoding = object.text("encoding") ?? object.text("_encoding")
            let data = undeclaredBody?.bytes ?? (encoding?.lowercased() == "base64" ? Base64.decode(text) : nil)
            return redacted(body: text, data, type: object.text("mimeType"))
        case (.header, "name"), (.cookie, "name"), (.item, "name"), (.param, "name"): return nil
        default: return redacted(value, as: .other, named: secretName)
        }
    }

    /// Returns the value of a header field, cookie, query item or form field with its secrets replaced, or nil if it has
    /// no secrets.
    ///
    /// HAR defines the value as a string, but some tools write numbers, or arrays for several values.
    private mutating func redacted(_ value: JSONValue, named name: String, as part: Part) -> JSONValue? {
        switch value {
        case .string(let string): return redacted(text: string.text, named: name, as: part)
        case .number(let number): return redacted(text: number.text, named: name, as: part)
        case .array(let elements):
            let results = elements.indices.map { index in
                at(String(index)) { $0.redacted(elements[index], named: name, as: part) }
            }
            guard results.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(results, elements).map { $0 ?? $1 })
        case .object(let object) where part == .cookie:
            // Every value of a cookie is a secret.
            var result = object
            for member in object.members {
                let new = at(member.name.text) { $0.redacted(member.value, named: name, as: part) }
                if let new { result[member.name.text] = new }
            }
            return result == object ? nil : .object(result)
        case .object: return redacted(value, as: .other, named: name)
        case .bool, .null: return nil
        }
    }

    private mutating func redacted(text: String, named name: String, as part: Part) -> JSONValue? {
        switch part {
        case .header:
            let field = PlainFields.Field(name, text, isHeader: true)
            return redacted(text, as: field) { $0.headerEdits(in: $1, named: name) }
        case .cookie:
            return redacted(text) { redaction, bytes in
                let edit = redaction.cookieEdit(0..<bytes.count, named: name, in: bytes)
                return edit.map { [$0] } ?? redaction.textEdits(in: bytes)
            }
        default: return redacted(item: text, named: name, as: part == .param ? .form : .query)
        }
    }

    /// Returns the name of a header field, cookie, query item or form field; empty if it has none.
    ///
    /// Some tools call the name `key`.
    private static func name(of object: JSONObject) -> String {
        if let name = object.text("name") { return name }
        return object.members.lazy.compactMap { PairRole($0.name.text) == .name ? $0.value.text : nil }.first ?? ""
    }

    /// Returns the role of a member, or nil if its name has no special meaning.
    private static func part(named name: String, of part: Part) -> Part? {
        switch (part, name) {
        case (.entry, "request"): .request
        case (.entry, "response"): .response
        case (.request, "headers"), (.response, "headers"): .headers
        case (.request, "cookies"), (.response, "cookies"): .cookies
        case (.request, "queryString"): .items
        case (.request, "postData"): .postData
        case (.response, "content"): .content
        case (.postData, "params"): .params
        default: nil
        }
    }

    /// Returns text with its secrets replaced, or nil if it has no secrets.
    ///
    /// The text is not searched if it is a field without secrets.
    private mutating func redacted(
        _ text: String, as field: PlainFields.Field?,
        _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> JSONValue? {
        guard let plainFields, let field else { return redacted(text, edits) }
        if plainFields.contains(field) { return nil }
        let counts = (learned.count, findings?.count)
        let result = redacted(text, edits)
        // Secrets in compressed values may not have been found.
        if result == nil, counts == (learned.count, findings?.count), !isIncomplete {
            plainFields.add(field)
        }
        return result
    }

    /// Returns text with its secrets replaced, or nil if it has no secrets.
    private mutating func redacted(
        _ text: String, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> JSONValue? {
        redactedText(text, edits).map { .string(JSONString($0)) }
    }

    /// Returns text with its secrets replaced, or nil if it has no secrets.
    mutating func redactedText(
        _ text: String, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> String? {
        text.withUTF8Bytes { redacted($0, edits) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func redacted(
        _ text: UnsafeRawBufferPointer, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> [UInt8]? {
        let edits = limited(text, edits)
        if edits.isEmpty { return nil }
        let result = edits.inOrder.applied(to: text)
        return result.elementsEqual(text) ? nil : result
    }

    /// Returns the edits that redact the string value of a field without a special meaning.
    private mutating func stringEdits(in text: UnsafeRawBufferPointer, named name: String?) -> [TextEdit] {
        if let name, Self.isCookieField(name), text.contains(UInt8(ascii: "=")) {
            return headerEdits(in: text, named: name)
        }
        if let name, let edit = edit(0..<text.count, named: name, in: .json, [UInt8](text)) { return [edit] }
        return textEdits(in: text)
    }

    /// Returns the value of a query or form item with its secrets replaced, or nil if it has no secrets.
    ///
    /// Some tools record the value percent-encoded.
    private mutating func redacted(item text: String, named name: String, as context: NameContext) -> JSONValue? {
        redacted(text) { redaction, bytes in
            let name = String(decoding: Self.decoded(name), as: UTF8.self)
            let named = redaction.edit(0..<bytes.count, named: name, in: context, Self.decoded(text))
            if let named { return [named] }
            // Some servers separate items with semicolons.
            let semicolon = bytes.firstOffset(of: UInt8(ascii: ";"))
            let hasItems = semicolon.map { !bytes[..<$0].contains(UInt8(ascii: "/")) } ?? false
            let edit = hasItems ? redaction.itemEdit(in: bytes, as: context) : nil
            return edit.map { [$0] } ?? redaction.textEdits(in: bytes)
        }
    }

    private static func decoded(_ text: String) -> [UInt8] {
        text.withUTF8Bytes { $0.firstOffset(of: UInt8(ascii: "%")) == nil ? [UInt8]($0) : formBytes($0) }
    }

    /// Returns the text of a body with its secrets replaced, or nil if it has no secrets.
    ///
    /// - Parameters:
    ///   - text: The recorded text.
    ///   - data: The bytes of the body, which are recorded in Base64; nil if the text itself is the body.
    ///   - type: The media type with its parameters.
    /// - Returns: The new text.
    private mutating func redacted(body text: String, _ data: Data?, type: String?) -> JSONValue? {
        guard let data else { return redacted(text) { $0.bodyEdits(in: $1, as: type) } }
        let result = data.withUnsafeBytes { bytes in redacted(bytes) { $0.bodyEdits(in: $1, as: type) } }
        guard let result else { return nil }
        let bytes = Data(result)
        undeclaredBody?.bytes = bytes
        return .string(JSONString(bytes.base64EncodedString()))
    }

    private static func undeclaredBody(of message: JSONObject, as part: Part) -> InterpretedBody? {
        part == .request
            ? HAR.Request(fields: message).undeclaredBody : HAR.Response(fields: message).undeclaredBody
    }

    /// Runs a closure with the pointer extended by a component.
    private mutating func at<Result>(_ step: String, _ body: (inout Redaction) -> Result) -> Result {
        pointer.components.append(step)
        defer { pointer.components.removeLast() }
        return body(&self)
    }
}
