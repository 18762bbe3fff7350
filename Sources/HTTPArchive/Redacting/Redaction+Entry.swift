import Foundation

extension Redaction {
    /// The role of an object or array in an archive, which determines how its strings are interpreted.
    enum Part {
        case entry, request, response, postData, content, page
        case headers, header, cookies, cookie, items, item, params, param
        case other

        /// Whether the part is the body of a request or a response.
        var isBody: Bool { self == .postData || self == .content }
    }

    /// The maximum number of rounds for one string: replacing a secret may expose another one.
    private static let mostRounds = 8

    /// Returns a value with its secrets replaced, in which this pass would find nothing more.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: The role of the value.
    ///   - name: The name that applies to a string or a number.
    /// - Returns: The value, otherwise unchanged, or nil if it has no secrets.
    mutating func redacted(_ value: JSONValue, as part: Part, named name: String?) -> JSONValue? {
        // Archives are parsed to a depth of 512. Deeper values can come only from code.
        guard pointer.components.count < 600 else { return nil }
        switch value {
        case .object(let object): return redacted(object, as: part).map(JSONValue.object)
        case .array(let elements):
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
            for (index, value) in elements.enumerated() {
                for _ in 0..<Self.mostRounds {
                    guard let changed = at(String(index), { $0.redacted(result[index], as: element, named: name) })
                    else { break }
                    result[index] = changed
                    isChanged = true
                    if value.object != nil || value.array != nil { break }
                }
            }
            return isChanged ? .array(result) : nil
        case .string(let string): return redacted(string.text) { $0.stringEdits(in: $1, named: name) }
        case .number(let number):
            guard let name, isCandidate(name, in: .number) else { return nil }
            let secret = NamedValue(name: name, bytes: Array(number.text.utf8), context: .number)
            return replacement(for: secret).map { .string(JSONString(String(decoding: $0, as: UTF8.self))) }
        case .bool, .null: return nil
        }
    }

    private mutating func redacted(_ object: JSONObject, as part: Part) -> JSONObject? {
        var result = object
        var isChanged = false
        var isBodyChanged = false
        for round in 0..<Self.mostRounds {
            var members = result.members
            var hasChanged = false
            for (index, member) in members.enumerated() {
                // Nested objects and arrays do not depend on their siblings and need a single round.
                if round > 0, member.value.object != nil || member.value.array != nil { continue }
                let name = member.name.text
                guard let changed = at(name, { $0.redacted(member: name, member.value, of: result, as: part) }) else {
                    continue
                }
                members[index].value = changed
                hasChanged = true
                isBodyChanged = isBodyChanged || Self.part(named: name, of: part)?.isBody == true
            }
            guard hasChanged else { break }
            result = JSONObject(members: members)
            isChanged = true
        }
        guard isChanged else { return nil }
        return isBodyChanged ? Self.withLengths(result, from: object, as: part) : result
    }

    /// Returns a message with lengths that match its changed body.
    private static func withLengths(_ message: JSONObject, from old: JSONObject, as part: Part) -> JSONObject {
        switch part {
        case .request:
            var request = HAR.Request(fields: message)
            request.updateLengths(from: HAR.Request(fields: old))
            return request.fields
        case .response:
            var response = HAR.Response(fields: message)
            response.updateLengths(from: HAR.Response(fields: old))
            return response.fields
        default: return message
        }
    }

    /// Returns the value of a member with its secrets replaced, or nil if it has none.
    private mutating func redacted(
        member name: String, _ value: JSONValue, of object: JSONObject, as part: Part
    ) -> JSONValue? {
        if let inner = Self.part(named: name, of: part), value.array != nil || value.object != nil {
            return redacted(value, as: inner, named: nil)
        }
        guard let text = value.text, name != "comment" else { return redacted(value, as: .other, named: name) }
        switch (part, name) {
        case (.request, "url"), (.response, "redirectURL"): return redacted(text) { $0.urlEdits(in: $1) }
        case (.header, "value"):
            let field = object.text("name") ?? ""
            return redacted(text) { $0.headerEdits(in: $1, named: field) }
        case (.cookie, "value"):
            let cookie = object.text("name") ?? ""
            return redacted(text) { redaction, bytes in
                redaction.cookieEdit(named: cookie, [UInt8](bytes)).map {
                    [TextEdit(range: 0..<bytes.count, replacement: $0)]
                } ?? redaction.textEdits(in: bytes)
            }
        case (.item, "value"): return redacted(item: text, named: object.text("name") ?? "", as: .query)
        case (.param, "value"): return redacted(item: text, named: object.text("name") ?? "", as: .form)
        case (.postData, "text"), (.content, "text"):
            let encoding = object.text("encoding") ?? object.text("_encoding")
            return redacted(body: text, type: object.text("mimeType"), isBase64: encoding?.lowercased() == "base64")
        case (.header, "name"), (.cookie, "name"), (.item, "name"), (.param, "name"): return nil
        default: return redacted(value, as: .other, named: name)
        }
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

    /// Returns a text with its secrets replaced, or nil if it has none.
    private mutating func redacted(
        _ text: String, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> JSONValue? {
        redactedText(text, edits).map { .string(JSONString($0)) }
    }

    /// Returns a text with its secrets replaced, or nil if it has none.
    mutating func redactedText(
        _ text: String, _ edits: (inout Redaction, UnsafeRawBufferPointer) -> [TextEdit]
    ) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let edits = edits(&self, bytes)
            if edits.isEmpty { return nil }
            let result = edits.inOrder.applied(to: bytes)
            return result.elementsEqual(bytes) ? nil : String(decoding: result, as: UTF8.self)
        }
    }

    /// Returns the edits in a string of a field without a special meaning.
    private mutating func stringEdits(in text: UnsafeRawBufferPointer, named name: String?) -> [TextEdit] {
        guard !text.isEmpty else { return [] }
        if let name, isCandidate(name, in: .json),
            let replacement = replacement(for: NamedValue(name: name, bytes: [UInt8](text), context: .json))
        {
            return [TextEdit(range: 0..<text.count, replacement: replacement)]
        }
        return textEdits(in: text)
    }

    /// Returns an item of a query or a form with its secrets replaced.
    ///
    /// Some tools leave the value percent-encoded.
    private mutating func redacted(item text: String, named name: String, as context: NamedValue.Context) -> JSONValue?
    {
        redacted(text) { redaction, bytes in
            let name = String(decoding: Self.decoded(name), as: UTF8.self)
            if redaction.isCandidate(name, in: context) {
                let value = NamedValue(name: name, bytes: Self.decoded(text), context: context)
                if let replacement = redaction.replacement(for: value) {
                    return [TextEdit(range: 0..<bytes.count, replacement: replacement)]
                }
            }
            let edits = redaction.textEdits(in: bytes)
            guard bytes.firstOffset(of: UInt8(ascii: "%")) != nil else { return edits }
            return edits + redaction.edits(in: DecodedText(percentEncoded: bytes, isForm: true), at: 0)
        }
    }

    private static func decoded(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return bytes.firstOffset(of: UInt8(ascii: "%")) == nil ? [UInt8](bytes) : formBytes(bytes)
        }
    }

    private mutating func redacted(body text: String, type: String?, isBase64: Bool) -> JSONValue? {
        guard isBase64, let data = Base64.decode(text) else {
            return redacted(text) { $0.bodyEdits(in: $1, as: type) }
        }
        return data.withUnsafeBytes { bytes in
            let edits = bodyEdits(in: bytes, as: type)
            if edits.isEmpty { return nil }
            let result = edits.applied(to: bytes)
            return result.elementsEqual(bytes) ? nil : .string(JSONString(Data(result).base64EncodedString()))
        }
    }

    /// Runs a closure with the pointer extended by a component.
    private mutating func at<Result>(_ step: String, _ body: (inout Redaction) -> Result) -> Result {
        pointer.components.append(step)
        defer { pointer.components.removeLast() }
        return body(&self)
    }
}
