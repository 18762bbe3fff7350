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
        guard text.kind == .string, MeasuredText(text).hasReplacement else { return }
        report(
            .note, .replacementCharacter, at: text,
            "The text has U+FFFD: the body had bytes that are no text, and they are lost.")
    }

    private mutating func checkSize(ofContent content: JSONNode, text node: JSONNode) {
        let text = MeasuredText(node)
        let charset = content["mimeType"]?.text.flatMap(MediaType.init)?.charset.flatMap(Charset.init(label:))
        if text.hasReplacement {
            checkReplacement(in: node)
        } else if !node.isEmptyString, text.isASCII || charset == nil || charset == .utf8 {
            checkSize(ofContent: content, count: text.byteCount, of: "text", isPossible: text.isPossible)
        }
    }

    private mutating func checkBase64(_ node: JSONNode, in content: JSONNode) {
        var text = Base64Text()
        node.forEachByte { text.take($0) }
        guard !text.isMalformed else {
            report(
                .error, .malformedBase64, at: node,
                "`text` is not the Base64 that `encoding` says; it is taken as it stands.")
            return
        }
        if text.isLoose {
            report(
                .note, .looseBase64, at: node,
                "The Base64 has line breaks, no padding, or the alphabet for URLs; RFC 4648 allows none of it here.")
        }
        let count = text.byteCount
        checkSize(ofContent: content, count: count, of: "decoded text") { $0 == count }
    }

    /// Checks the size; a text that is longer than it says is whole, and only counted otherwise.
    private mutating func checkSize(
        ofContent content: JSONNode, count: Int, of name: String, isPossible: (Int) -> Bool
    ) {
        guard let node = content["size"], let size = node.int, size >= 0, !isPossible(size) else { return }
        let loss = count < size ? ", and a part may be missing" : ""
        report(
            count < size ? .warning : .note, .sizeMismatch, at: node,
            "`size` is \(size), but the \(name) has \(count) bytes\(loss); HAR 1.2 wants the length of the body.")
    }
}
