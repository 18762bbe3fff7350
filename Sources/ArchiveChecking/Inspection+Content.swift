import HTTPArchive

/// The rules for the text of a body.
extension Inspection {
    /// Checks the body of a response.
    mutating func checkText(ofContent content: JSONNode) {
        if let file = content["_file"] { checkFile(file) }
        let size = content["size"]?.int ?? 0
        if size > 0 || content["text"]?.isEmptyString == false { checkMediaType(of: content) }
        let encoding = content["encoding"]?.text ?? ""
        guard let text = content["text"], text.kind == .string else { return }
        switch encoding.lowercased() {
        case "": checkSize(ofContent: content, text: text)
        case "base64": checkBase64(text, in: content)
        default:
            report(
                .warning, .unknownEncoding, at: content["encoding"] ?? content,
                "Expected \"base64\" for `encoding`, found \(encoding.quoted). The text is used without decoding.")
        }
    }

    /// Reports a body that contains U+FFFD.
    mutating func checkReplacement(in text: JSONNode) {
        guard text.kind == .string, MeasuredText(text).hasReplacement else { return }
        report(
            .note, .replacementCharacter, at: text,
            "The text contains U+FFFD: some bytes of the body could not be decoded and are lost.")
    }

    private mutating func checkSize(ofContent content: JSONNode, text node: JSONNode) {
        let text = MeasuredText(node)
        var charset: Charset? {
            content["mimeType"]?.text.flatMap(MediaType.init)?.charset.flatMap(Charset.init(label:))
        }
        if text.hasReplacement {
            checkReplacement(in: node)
        } else if !node.isEmptyString, text.isASCII || charset == nil || charset == .utf8 {
            checkSize(ofContent: content, count: text.byteCount, of: "text") { size in
                // The size of Base64 that is not marked as such is evidence for it.
                text.isPossible(size)
                    || (text.byteCount / 2...text.byteCount * 3 / 4).contains(size)
                        && Self.byteCount(ofBase64: node) == size
            }
        }
    }

    private static func byteCount(ofBase64 node: JSONNode) -> Int? {
        var text = Base64Text()
        node.forEachPart { text.take($0) }
        return text.isMalformed ? nil : text.byteCount
    }

    private mutating func checkBase64(_ node: JSONNode, in content: JSONNode) {
        var text = Base64Text()
        node.forEachPart { text.take($0) }
        guard !text.isMalformed else {
            report(
                .error, .malformedBase64, at: node,
                "`encoding` is \"base64\", but `text` is not valid base64. The text is used without decoding.")
            return
        }
        if text.isLoose {
            report(
                .note, .looseBase64, at: node,
                "RFC 4648 does not allow line breaks, missing padding or the URL-safe alphabet here.")
        }
        let count = text.byteCount
        checkSize(ofContent: content, count: count, of: "decoded text") { $0 == count }
    }

    /// Checks the size of a body.
    ///
    /// Text that is longer than the recorded size is complete, but the recording tool counted its bytes differently.
    private mutating func checkSize(
        ofContent content: JSONNode, count: Int, of name: String, isPossible: (Int) -> Bool
    ) {
        guard let node = content["size"], let size = node.int, size >= 0, !isPossible(size) else { return }
        let loss = count < size ? ", so part of it may be missing" : ""
        report(
            count < size ? .warning : .note, .sizeMismatch, at: node,
            "`size` is \(size), but the \(name) is \(count) \(count == 1 ? "byte" : "bytes") long\(loss). "
                + "HAR 1.2 requires the length of the body.")
    }
}

/// The rules for missing and duplicate bodies.
extension Inspection {
    /// Checks whether a request body is missing.
    mutating func checkRequestBody(of request: JSONNode) {
        guard request["postData"] == nil, let size = request["bodySize"], let count = size.int, count > 0
        else { return }
        report(
            .warning, .requestBodyNotCaptured, at: size,
            "`bodySize` is \(count), but `postData` is missing: the body was not captured.")
    }

    /// Checks the parameters and the text of a request body.
    mutating func checkText(ofPostData postData: JSONNode) {
        let text = postData["text"]
        let params = postData["params"]
        if text?.isEmptyString == false || params?.elements.isEmpty == false { checkMediaType(of: postData) }
        if let text { checkReplacement(in: text) }
        if let file = postData["_file"] {
            checkFile(file)
        } else if let params, !params.elements.isEmpty, let text, !text.isEmptyString {
            guard !isForm(text, withFields: params, in: postData) else { return }
            report(
                .warning, .paramsAndText, at: params,
                "`params` and `text` differ, and HAR 1.2 allows only one of them. The text is used.")
        } else if params == nil, text == nil {
            report(
                .warning, .requestBodyNotCaptured, at: postData,
                "`params` and `text` are missing. HAR 1.2 requires one of them.")
        }
    }

    /// Returns whether the text is the form from which the fields were parsed.
    ///
    /// Browsers record both the text and the fields.
    private func isForm(_ text: JSONNode, withFields params: JSONNode, in postData: JSONNode) -> Bool {
        let type = postData["mimeType"]?.text.flatMap(MediaType.init)?.essence
        let isForm = ["application/x-www-form-urlencoded", "multipart/form-data"].contains(type)
        // Binary bodies are recorded in base64, so their fields cannot be compared.
        if isForm, postData["_encoding"]?.text == "base64" { return true }
        let names = params.elements.map { $0["name"]?.text ?? "" }
        switch type {
        case "application/x-www-form-urlencoded":
            return Self.isQuery(
                Substring(text.text ?? ""), of: zip(names, params.elements.map { $0["value"]?.text ?? "" }))
        case "multipart/form-data":
            let text = text.text ?? ""
            return names.allSatisfy { text.contains("name=\"\($0)\"") || text.contains("name=\($0)") }
        default: return false
        }
    }

    /// Checks whether a response body is missing even though the client would have received one.
    mutating func checkResponseBody(ofEntry entry: JSONNode) {
        guard let response = entry["response"], let content = response["content"], content.kind == .object,
            content["text"]?.isEmptyString ?? true, let status = response["status"]?.int,
            HAR.Response.finalStatuses.contains(status), status != 204, status != 304,
            entry["request"]?["method"]?.text != "HEAD",
            HAR.Response(fields: JSONObject(node: response)).body == .notCaptured
        else { return }
        let size = content["size"]?.int ?? 0
        let state = size > 0 ? "its `size` is \(size)" : "nothing indicates an empty body"
        report(.note, .bodyNotCaptured, at: content, "`text` is missing, but \(state): the body was not captured.")
    }

    /// Reports how a body was recorded if the archive does not declare it.
    ///
    /// - Parameters:
    ///   - body: The body, or nil if the archive declares how it was recorded.
    ///   - name: The name of the field with the body.
    ///   - message: The request or response.
    mutating func checkUndeclared(_ body: InterpretedBody?, _ name: String, in message: JSONNode) {
        guard let body, let text = message[name]?["text"] else { return }
        if body.isUnmarkedBase64 {
            report(
                .warning, .unmarkedBase64, at: text,
                "`text` is Base64 or a `data:` URL, but `encoding` is missing. It is decoded. `har repair` adds `encoding`."
            )
        }
        if body.wasCoded {
            report(.note, .contentCoding, at: text, "The body was recorded with its content coding, which is removed.")
        } else if body.keepsCoding {
            report(
                .warning, .contentCoding, at: text,
                "The body was recorded with a content coding that cannot be removed. Clients receive it with the coding."
            )
        }
    }

    /// Checks that the media type of a body is neither empty nor `x-unknown`.
    mutating func checkMediaType(of body: JSONNode) {
        guard let type = body["mimeType"], let text = type.text, text.isEmpty || text == "x-unknown" else { return }
        let state = text.isEmpty ? "empty" : text.quoted
        report(
            .note, .unknownMediaType, at: type, "`mimeType` is \(state). HAR 1.2 requires the media type of the body.")
    }

    /// Checks the path of a body in a separate file.
    mutating func checkFile(_ file: JSONNode) {
        guard let path = file.text else { return }
        do throws(HARError) {
            _ = try HAR.BodyFolder.components(of: path)
            report(.note, .bodyInFile, at: file, "The body is in a separate file, which must be kept with the archive.")
        } catch {
            guard HAR.BodyFolder.mayLeave(path) else {
                let title = path.isEmpty ? "empty" : path.quoted
                return report(.warning, .missingBodyFile, at: file, "`_file` is \(title). \(error.message)")
            }
            report(
                .error, .fileOutsideFolder, at: file,
                "`_file` must be a path in the archive's folder, without `..`. The file is not read.")
        }
    }
}

/// Properties of a body's text, computed without storing the decoded text.
struct MeasuredText {
    /// The size of the text in UTF-8, in bytes.
    private(set) var byteCount = 0

    /// Whether the text contains U+FFFD.
    private(set) var hasReplacement = false

    /// U+FFFD in UTF-8.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    private var scalarCount = 0

    /// The number of Unicode scalars that take two code units in UTF-16.
    private var pairCount = 0

    init(_ node: JSONNode) {
        if let size = node.plainSize {
            byteCount = size
            scalarCount = size
            return
        }
        node.forEachPart { part in
            byteCount += part.count
            if part.isASCII {
                scalarCount += part.count
                return
            }
            for byte in part {
                scalarCount += byte & 0xC0 != 0x80 ? 1 : 0
                pairCount += byte >= 0xF0 ? 1 : 0
            }
            // A character is in one part, because an escape sequence represents whole characters.
            if !hasReplacement { hasReplacement = part.firstOffset(of: Self.replacement) != nil }
        }
    }

    var isASCII: Bool { scalarCount == byteCount }

    /// Returns whether this size is possible for the body in UTF-8 with or without a byte order mark, in a single-byte
    /// charset, or in UTF-16.
    func isPossible(_ size: Int) -> Bool {
        [byteCount, byteCount + 3, scalarCount, (scalarCount + pairCount + 1) * 2].contains(size)
    }
}

/// Properties of base64 text, computed without decoding it (RFC 4648, section 4).
package struct Base64Text {
    private var digitCount = 0
    private var paddingCount = 0
    private var hasLooseDigits = false
    private var hasForeignCharacters = false

    package init() {}

    package init(_ text: String) {
        Array(text.utf8).withUnsafeBytes { take($0) }
    }

    /// Processes the next part of the text.
    package mutating func take(_ part: UnsafeRawBufferPointer) {
        var rest = part
        while !rest.isEmpty {
            let block = rest[from: 0, to: min(256, rest.count)]
            if paddingCount == 0, Self.areDigits(block) {
                digitCount += block.count
            } else {
                for character in block { take(character) }
            }
            rest = rest[from: block.count]
        }
    }

    /// Returns whether all characters are digits of the standard alphabet, comparing many characters at once.
    private static func areDigits(_ block: UnsafeRawBufferPointer) -> Bool {
        var others: UInt8 = 0
        for character in block {
            let isLetter = (character | 0x20) &- UInt8(ascii: "a") < 26
            let isDigit = character &- UInt8(ascii: "0") < 10
            let isSign = character == UInt8(ascii: "+")
            let isSlash = character == UInt8(ascii: "/")
            others |= (isLetter ? 1 : 0) ^ (isDigit ? 1 : 0) ^ (isSign ? 1 : 0) ^ (isSlash ? 1 : 0) ^ 1
        }
        return others == 0
    }

    private mutating func take(_ character: UInt8) {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            digitCount += 1
            if paddingCount > 0 { hasForeignCharacters = true }
        case UInt8(ascii: "-"), UInt8(ascii: "_"):
            digitCount += 1
            hasLooseDigits = true
        case UInt8(ascii: "="): paddingCount += 1
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: " "): hasLooseDigits = true
        default: hasForeignCharacters = true
        }
    }

    /// Whether the text cannot be decoded completely.
    package var isMalformed: Bool { hasForeignCharacters || digitCount % 4 == 1 }

    /// Whether the text can be decoded but does not conform to the standard.
    var isLoose: Bool { hasLooseDigits || (digitCount + paddingCount) % 4 != 0 || paddingCount > 2 }

    /// The number of decoded bytes.
    package var byteCount: Int { digitCount * 3 / 4 }
}
