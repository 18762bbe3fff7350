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
                "`encoding` is \(encoding.quoted); HAR 1.2 names base64. The text is taken as it is.")
        }
    }

    /// Says so when a body has U+FFFD.
    mutating func checkReplacement(in text: JSONNode) {
        guard text.kind == .string, BodyText(text).hasReplacement else { return }
        report(
            .note, .replacementCharacter, at: text,
            "The text has U+FFFD: the body had bytes that are no text, and they are lost.")
    }

    private mutating func checkSize(ofContent content: JSONNode, text node: JSONNode) {
        let text = BodyText(node)
        if text.hasReplacement {
            checkReplacement(in: node)
        } else if text.isASCII || Self.isUTF8(content["mimeType"]?.text ?? "") {
            checkSize(ofContent: content, count: text.byteCount, of: "text")
        }
    }

    private mutating func checkBase64(_ node: JSONNode, in content: JSONNode) {
        var text = Base64Text()
        node.forEachByte { text.take($0) }
        guard !text.isMalformed else {
            report(.error, .malformedBase64, at: node, "`text` is not the Base64 that `encoding` says.")
            return
        }
        if text.isLoose {
            report(
                .note, .looseBase64, at: node,
                "The Base64 has line breaks, no padding, or the alphabet for URLs; RFC 4648 allows none of it here.")
        }
        checkSize(ofContent: content, count: text.byteCount, of: "decoded text")
    }

    /// Checks the size; a text that is longer than it says is whole, and only counted otherwise.
    private mutating func checkSize(ofContent content: JSONNode, count: Int, of name: String) {
        guard let node = content["size"], let size = node.int, size >= 0, size != count else { return }
        let loss = count < size ? ", and a part may be missing" : ""
        report(
            count < size ? .warning : .note, .sizeMismatch, at: node,
            "`size` is \(size), but the \(name) has \(count) bytes\(loss); HAR 1.2 wants the length of the body.")
    }

    /// Whether the text of a media type has the same bytes in UTF-8 as in the response.
    private static func isUTF8(_ mediaType: String) -> Bool {
        guard let charset = mediaType.firstMatch(of: /(?i)charset\s*=\s*"?([^\s;"]+)/)?.1 else { return true }
        return ["utf-8", "utf8"].contains(charset.lowercased())
    }
}
