/// Redaction of request and response bodies.
extension Redaction {
    /// Returns the edits that redact a body.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - type: The media type with its parameters, or nil to detect the format from the content.
    /// - Returns: The edits, in order.
    mutating func bodyEdits(in body: UnsafeRawBufferPointer, as type: String?) -> [TextEdit] {
        if let edits = wideEdits(in: body, as: type) ?? compressedEdit(of: body, as: type) { return edits }
        let type = type.flatMap { MediaType($0) }
        let essence = type?.essence ?? ""
        if essence.hasPrefix("multipart/"), let boundary = MultipartPart.boundary(of: body, type: type) {
            return multipartEdits(in: body, boundary: boundary)
        }
        // Text in ISO 8859-1 is not UTF-8, either.
        let isText = !body.isBinary || type?.isText == true && Self.beginsWithText(body)
        // A request without a media type is recorded like a form.
        if essence == "application/x-www-form-urlencoded", isText, Self.textEnd(in: body) == body.count {
            return formBodyEdits(in: body, as: .form)
        }
        // A body that does not begin like JSON may be JSONP, a script that calls a function.
        if essence.containsText("json"), Self.beginsLikeJSON(body) || body.firstOffset(of: UInt8(ascii: "(")) == nil {
            hasUnquotedNames = false
            var edits: [TextEdit] = []
            passJSON(in: body, from: 0, isStrict: false, inheriting: nil, &edits)
            return (edits + (hasUnquotedNames ? scan(body) : []) + otherEdits(in: body)).inOrder
        }
        let style = isText ? Self.style(of: essence) : .binary
        if style == .prose, Self.isForm(body) || type == nil && rules.mask != nil && !Self.beginsLikeJSON(body) {
            return formBodyEdits(in: body, as: .form)
        }
        if style == .prose, Self.isPlainForm(body) { return plainFormEdits(in: body) }
        return textEdits(
            in: body, as: style, isTable: essence.containsText("csv") || essence.containsText("tab-separated"))
    }

    /// Returns the edits that redact a body in UTF-16 or UTF-32, or nil if the body has another encoding.
    mutating func wideEdits(in body: UnsafeRawBufferPointer, as type: String?) -> [TextEdit]? {
        guard let text = DecodedText(wide: body, charset: type.flatMap { MediaType($0) }?.charset) else { return nil }
        return text.escaped(text.bytes.withUnsafeBytes { content in deeper { $0.bodyEdits(in: content, as: type) } })
    }

    /// Returns the edit that redacts a compressed body, or nil if the body is not compressed.
    private mutating func compressedEdit(of body: UnsafeRawBufferPointer, as type: String?) -> [TextEdit]? {
        guard body.count > 8, body.isBinary else { return nil }
        // Some servers send raw DEFLATE data, which only the media type can distinguish from other binary data.
        let hasFrame = Deflate.Format(of: [UInt8](body.prefix(3))) != nil
        guard hasFrame || Self.isText(type) else { return nil }
        let compressed: CompressedBytes?
        do throws(HARError) {
            compressed = try CompressedBytes([UInt8](body), mayBeRaw: !hasFrame, budget: &inflatable)
        } catch {
            isIncomplete = true
            return nil
        }
        guard let compressed else { return nil }
        return compressed.content.withUnsafeBytes { content in
            let inner = deeper { $0.bodyEdits(in: content, as: type) }
            guard !inner.isEmpty, let new = compressed.replacing(content: inner.applied(to: content)) else { return [] }
            return [TextEdit(range: 0..<body.count, replacement: new)]
        }
    }

    /// Returns the edits that redact the items of a query or form.
    mutating func formBodyEdits(in body: UnsafeRawBufferPointer, as context: NameContext) -> [TextEdit] {
        (formEdits(in: body, as: context) + scan(body, namesEnd: body.count) + otherEdits(in: body)).inOrder
    }

    /// Returns the edits that redact a `text/plain` form, in which each value extends to the end of its line
    /// (https://html.spec.whatwg.org/#text/plain-encoding-algorithm).
    private mutating func plainFormEdits(in body: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits = scan(body, namesEnd: body.count) + otherEdits(in: body)
        for line in body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals + 1 < line.endIndex else { continue }
            let range = equals + 1..<line.endIndex
            let name = String(decoding: line[..<equals], as: UTF8.self)
            if let edit = edit(range, named: name, in: .form, [UInt8](body[range])) { edits.append(edit) }
        }
        return edits.inOrder
    }

    /// Whether a body consists of several lines, each with a name and a value.
    private static func isPlainForm(_ body: UnsafeRawBufferPointer) -> Bool {
        guard body.count < 1 << 16, body.firstOffset(of: 0x0A) != nil else { return false }
        return body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).allSatisfy { line in
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else { return false }
            return equals - line.startIndex <= 64
                && line[..<equals].allSatisfy { $0.isPartOfWord || "-.[]".utf8.contains($0) }
        }
    }

    /// Returns the edits that redact the header fields of a STOMP frame, or none for other text
    /// (https://stomp.github.io/stomp-specification-1.2.html#STOMP_Frames).
    mutating func frameEdits(in body: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        guard Self.isFrame(body) else { return edits }
        for line in body.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
            let range = colon + 1..<line.endIndex
            let name = String(decoding: line[..<colon], as: UTF8.self)
            if let edit = edit(range, named: name, in: .form, [UInt8](body[range])) { edits.append(edit) }
        }
        return edits
    }

    /// Whether a body begins with a command in capital letters and a header field, as a STOMP frame does.
    private static func isFrame(_ body: UnsafeRawBufferPointer) -> Bool {
        let command = body.prefix(12).prefix { 0x41...0x5A ~= $0 }
        let rest = body.dropFirst(command.count).drop { $0 == 0x0D }
        guard command.count >= 3, rest.first == 0x0A else { return false }
        let name = rest.dropFirst().prefix(64).prefix { $0.isPartOfWord || $0 == UInt8(ascii: "-") }
        return !name.isEmpty && body[name.endIndex...].first == UInt8(ascii: ":")
    }

    private mutating func multipartEdits(in body: UnsafeRawBufferPointer, boundary: [UInt8]) -> [TextEdit] {
        var edits: [TextEdit] = otherEdits(in: body)
        var end = 0
        let parts = MultipartPart.Parts(of: body, boundary: boundary, tolerance: .all)
        for part in parts where !part.content.isEmpty {
            // Search the header fields of the part.
            if part.content.lowerBound > end {
                edits += scan(body[from: end, to: part.content.lowerBound]).map { $0.moved(by: end) }
            }
            end = max(end, part.content.upperBound)
            let value = body[rebasing: part.content]
            if let name = part.name, let edit = edit(part.content, named: name, in: .form, [UInt8](value)) {
                edits.append(edit)
            } else {
                let inner = deeper { $0.bodyEdits(in: value, as: part.type ?? "text/plain") }
                edits += inner.map { $0.moved(by: part.content.lowerBound) }
            }
        }
        return edits.inOrder
    }

    /// Whether a media type is a text format whose charset is UTF-8 or missing.
    private static func isText(_ type: String?) -> Bool {
        guard let type = type.flatMap({ MediaType($0) }) else { return false }
        return type.isText && type.charset.map { $0.lowercased() == "utf-8" } ?? true
    }

    /// Returns the text style for a media type.
    private static func style(of essence: String) -> TextStyle {
        if essence.containsText("javascript") || essence.containsText("ecmascript") || essence == "text/css" {
            return .code
        }
        return essence.containsText("html") ? .html : essence.containsText("xml") ? .xml : .prose
    }

    /// Whether text begins like a JSON object or array.
    static func beginsLikeJSON(_ text: UnsafeRawBufferPointer) -> Bool {
        let start = JSONTextBounds.skipBlanks(in: text, from: 0)
        return start < text.count && (text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "["))
    }

    /// Whether a body looks like a form, with names and values and without characters that a form would escape.
    private static func isForm(_ body: UnsafeRawBufferPointer) -> Bool {
        guard body.count < 1 << 20, body.count > 2, formCharacters.containsAll(of: body),
            body.firstOffset(of: UInt8(ascii: "=")) != nil
        else { return false }
        return body.firstOffset(of: UInt8(ascii: ":")) == nil || body.firstOffset(of: UInt8(ascii: "&")) != nil
    }

    private static let formCharacters = ByteSet.url.union("\\^`|")
}

extension String {
    /// Returns whether the string contains a text, by comparing bytes.
    fileprivate func containsText(_ text: StaticString) -> Bool {
        withUTF8Bytes { bytes in text.withUTF8Buffer { bytes.firstOffset(of: UnsafeRawBufferPointer($0)) != nil } }
    }
}
