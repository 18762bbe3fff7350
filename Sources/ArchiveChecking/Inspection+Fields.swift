import HTTPArchive

extension Inspection {
    /// Checks an object and its values against the table of fields and the rules.
    mutating func check(_ object: JSONNode, as kind: HARObjectKind) {
        let table = kind.table
        var found: UInt32 = 0
        var otherNames = NameSet()
        let source = object.source
        // A node retains the source, so nodes are created only for values that need one.
        source.forEachKey(of: object.index) { key in
            var value: JSONNode { JSONNode(source: source, index: key + 1) }
            guard let index = table.index(ofKey: key, in: source) else {
                let name = JSONNode(source: source, index: key).string.text
                if !otherNames.insert(name) { reportRepeated(name, at: value) }
                checkUnknown(name, at: value, of: kind)
                return
            }
            if found >> UInt32(index) & 1 == 1 { reportRepeated(table.fields[index].name, at: value) }
            found |= 1 << UInt32(index)
            if isOld, table.fields[index].isNew { checkNewer(table.fields[index], at: value, of: kind) }
            if table.fields[index].acceptsAll(source.tokens[key + 1].kind) { return }
            check(value, as: table.fields[index], of: kind)
        }
        if table.required & ~found != 0 {
            for field in table.fields(in: table.required & ~found) {
                report(field.absence ?? .note, field.absenceRule, at: object, Self.isMissing(field, of: kind))
            }
        }
        checkRules(object, as: kind)
    }

    private mutating func reportRepeated(_ name: String, at value: JSONNode) {
        report(.warning, .repeatedName, at: value, "\(name.quoted) is repeated; the last value is used.")
    }

    /// Checks the value of a field.
    mutating func check(_ value: JSONNode, as field: HARField, of kind: HARObjectKind) {
        if field.acceptsAll(value.kind) { return }
        // The last of several values is used, even if it is not a date.
        if kind == .entry, case .date = field.value { startedDate = nil }
        switch (field.value, value.kind) {
        case (_, .null): checkNull(value, of: field)
        case (.date, .string):
            let date = checkDate(value, of: field)
            if kind == .entry { startedDate = date }
        case (.url, .string): checkURL(value)
        case (.httpVersion, .string): checkHTTPVersion(value)
        case (.status, .number): checkStatus(value)
        case (.size, .number): checkSize(value, of: field)
        case (.time, .number), (.optionalTime, .number): checkTime(value, of: field)
        case (.object(let kind), .object): check(value, as: kind)
        case (.array(let kind), .array):
            value.source.forEachElement(of: value.index) { element in
                check(JSONNode(source: value.source, index: element), asElement: kind)
            }
        default:
            let isRead = field.type == "a number" && value.text.flatMap { JSONNumber(string: $0.utf8) } != nil
            report(
                .error, .wrongType, at: value,
                "Expected \(field.type) for `\(field.name)` in \(kind.title), found \(value.kind.title)."
                    + (isRead ? " The number in the string is used." : ""))
        }
    }

    /// Checks an element of an array.
    mutating func check(_ element: JSONNode, asElement kind: HARObjectKind) {
        if element.kind == .object {
            check(element, as: kind)
        } else {
            report(
                .error, .wrongType, at: element,
                "Expected an object for \(kind.title), found \(element.kind.title).")
        }
    }

    /// Reports a field that is not in the table, unless it is a custom field.
    mutating func checkUnknown(_ name: String, at value: JSONNode, of kind: HARObjectKind) {
        guard !name.hasPrefix("_") else { return }
        report(
            .note, .unknownField, at: value,
            "\(name.quoted) in \(kind.title) is not in HAR 1.2. Names of custom fields must begin with an underscore.")
    }

    /// Reports a HAR 1.2 field in a log whose version is 1.1.
    mutating func checkNewer(_ field: HARField, at value: JSONNode, of kind: HARObjectKind) {
        guard isOld else { return }
        report(
            .note, .newerField, at: value,
            "`\(field.name)` in \(kind.title) is new in HAR 1.2, but the log's version is 1.1.")
    }

    /// Returns the message for a missing field.
    static func isMissing(_ field: HARField, of kind: HARObjectKind) -> String {
        "`\(field.name)` is missing; HAR 1.2 requires it in \(kind.title)."
    }

    /// Checks rules that involve several fields of an object.
    private mutating func checkRules(_ object: JSONNode, as kind: HARObjectKind) {
        switch kind {
        case .entry:
            checkOutcome(ofEntry: object)
            checkResponseBody(ofEntry: object)
            checkReplay(ofEntry: object)
        case .request:
            checkMethod(of: object)
            checkPseudoHeaders(of: object)
            checkQueryString(of: object)
            checkRequestBody(of: object)
            checkUndeclared(HAR.Request(fields: JSONObject(node: object)).undeclaredBody, "postData", in: object)
        case .response:
            checkPseudoHeaders(of: object)
            checkRedirect(of: object)
            checkUndeclared(HAR.Response(fields: JSONObject(node: object)).undeclaredBody, "content", in: object)
        case .header:
            checkName(ofHeader: object)
            checkLineBreaks(inHeader: object)
        case .content: checkText(ofContent: object)
        case .postData: checkText(ofPostData: object)
        default: break
        }
    }

    private mutating func checkNull(_ value: JSONNode, of field: HARField) {
        if field.absence == nil {
            // Allow null for a cache state, because an example in the specification uses it.
            if case .object(.cacheState) = field.value { return }
            report(.note, .nullField, at: value, "`\(field.name)` is null. Omit the field instead.")
        } else {
            let rule = field.absenceRule == .missingField ? .wrongType : field.absenceRule
            let hint = rule == .unknownSize ? " Use -1 if the size is unknown." : ""
            report(
                field.absence ?? .note, rule, at: value,
                "Expected \(field.type) for `\(field.name)`, found null.\(hint)")
        }
    }
}

/// The rules for header fields.
extension Inspection {
    /// Reports pseudo-headers of HTTP/2 and HTTP/3.
    mutating func checkPseudoHeaders(of message: JSONNode) {
        // The headers have been checked before the message.
        guard hasPseudoHeaders, let headers = message["headers"] else { return }
        hasPseudoHeaders = false
        let found = headers.elements.filter { $0["name"]?.text?.hasPrefix(":") == true }
        guard let first = found.first else { return }
        let names = found.prefix(6).compactMap { $0["name"]?.text?.quoted }.joined(separator: ", ")
        report(.note, .pseudoHeader, at: first, "The headers include pseudo-headers: \(names).")
    }

    /// Reports a method that is empty or contains characters that HTTP does not allow.
    private mutating func checkMethod(of request: JSONNode) {
        guard let method = request["method"], method.kind == .string, !isToken(method) else { return }
        report(
            .warning, .invalidMethod, at: method,
            "`method` is \(method.string.text.quoted). HTTP requires a token such as \("GET".quoted).")
    }

    /// Reports a header whose name is empty or contains characters that HTTP does not allow.
    private mutating func checkName(ofHeader header: JSONNode) {
        guard let name = header["name"], name.kind == .string, !isToken(name) else { return }
        let text = name.string.text
        if text.hasPrefix(":") {
            hasPseudoHeaders = true
            return
        }
        report(
            .warning, .invalidHeaderName, at: name,
            "The name of a header is \(text.quoted). HTTP requires a token such as \("Accept".quoted).")
    }

    private func isToken(_ string: JSONNode) -> Bool {
        // Most strings have no escape sequences, so they need not be decoded.
        if string.isPlain(of: .token) { return true }
        var text = string.hasEscape ? string.string.text : ""
        return !text.isEmpty && text.withUTF8 { ByteSet.token.containsAll(of: UnsafeRawBufferPointer($0)) }
    }

    /// Reports header values that are joined with line breaks.
    mutating func checkLineBreaks(inHeader header: JSONNode) {
        guard let value = header["value"], value.kind == .string, value.hasEscape,
            value.string.text.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
        else { return }
        let name = (header["name"]?.text ?? "").quoted
        report(
            .warning, .lineBreakInHeader, at: value,
            "The value of \(name) contains line breaks, which HTTP does not allow. Use one header per value.")
    }
}

/// The rules for the outcome of an exchange.
extension Inspection {
    /// Reports a request without a response.
    mutating func checkOutcome(ofEntry entry: JSONNode) {
        guard let response = entry["response"], let status = response["status"], let code = status.int,
            code == 0 || code == -1
        else { return }
        let reason = response["_error"]?.text ?? response["_failureText"]?.text ?? entry["_error"]?.text ?? ""
        report(
            .note, .failedRequest, at: status,
            "The request failed\(reason.isEmpty ? "" : " with \(reason.quoted)") and has no response.")
    }

    /// Checks that a redirect has a target.
    mutating func checkRedirect(of response: JSONNode) {
        guard [301, 302, 303, 307, 308].contains(response["status"]?.int), let target = response["redirectURL"],
            target.text == ""
        else { return }
        let hasLocation = response["headers"]?.elements.contains { $0["name"]?.text?.lowercased() == "location" }
        report(
            .note, .missingRedirectURL, at: target,
            hasLocation == true
                ? "`redirectURL` is empty; the `Location` header is used instead."
                : "`redirectURL` is empty and the `Location` header is missing, so the redirect cannot be followed.")
    }

    /// Reports a valid entry that is not replayed, such as a WebSocket entry, whose opening handshake is its only HTTP
    /// exchange.
    mutating func checkReplay(ofEntry entry: JSONNode) {
        let scheme = entry["request"]?["url"]?.text.flatMap(LiteralURL.scheme)?.lowercased()
        let messages = entry["_webSocketMessages"].flatMap { $0.kind == .null ? nil : $0 }
        guard
            scheme == "ws" || scheme == "wss" || messages != nil || entry["_resourceType"]?.text == "websocket"
        else {
            guard let reason = HAR.Entry(fields: JSONObject(node: entry)).unreplayedReason else { return }
            return report(.note, .notReplayed, at: entry, reason)
        }
        let count = messages.map { " (\($0.elements.count))" } ?? ""
        report(
            .note, .webSocket, at: entry,
            "The entry is a WebSocket connection; its messages\(count) are not replayed. Show them with `har show`.")
        guard let messages else { return }
        if messages.kind != .array {
            report(
                .note, .invalidWebSocketMessage, at: messages,
                "Expected an array for `_webSocketMessages`, found \(messages.kind.title).")
        }
        for message in messages.elements {
            guard let (node, expected) = Self.invalidValue(ofMessage: message) else { continue }
            report(
                .note, .invalidWebSocketMessage, at: node,
                "Expected \(expected) in a WebSocket message, as Chromium records it.")
        }
    }

    /// Returns a value of a WebSocket message that is not in the format of Chromium and cannot be read, and a
    /// description of the expected value.
    private static func invalidValue(ofMessage message: JSONNode) -> (JSONNode, expected: String)? {
        guard message.kind == .object else { return (message, "an object") }
        if let type = message["type"], !["send", "receive", "error"].contains(type.text) {
            return (type, "`send`, `receive` or `error` for `type`")
        }
        // The opcode of an error is -1.
        if let opcode = message["opcode"], opcode.int.map({ -1...15 ~= $0 }) != true {
            return (opcode, "a number from 0 to 15 for `opcode`")
        }
        if let time = message["time"], time.text.flatMap(HAR.date) == nil,
            JSONObject(node: message).double("time").map({ 0..<Double.infinity ~= $0 }) != true
        {
            return (time, "seconds since 1970 for `time`")
        }
        guard let data = message["data"] else { return nil }
        guard let text = data.text else { return (data, "a string for `data`") }
        let isBinary = message["type"]?.text != "error" && message["opcode"]?.int == 2
        return isBinary && Base64Text(text).isMalformed ? (data, "base64 for `data`") : nil
    }
}
