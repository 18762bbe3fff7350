public import Foundation

extension HAR.Response {
    /// The body as received, after content codings such as gzip are removed.
    ///
    /// If the recording tool decoded the text, the text is encoded again with the charset of the response to restore
    /// the original bytes. An empty body is distinguished from a body that was not captured.
    ///
    /// - Complexity: O(*n*) in the size of the body; the result is not cached.
    public var body: HAR.Body {
        guard case .string(let text)? = content["text"] else {
            if let file = content["_file"]?.text { return .file(file) }
            return isKnownToBeEmpty ? .data(Data()) : .notCaptured
        }
        if text.text.isEmpty {
            return (content.size ?? 0) == 0 || isKnownToBeEmpty ? .data(Data()) : .notCaptured
        }
        return .data(interpreted(text).bytes)
    }

    /// The body and its interpretation, or nil if it was not captured or is in a separate file.
    ///
    /// - Complexity: O(*n*) in the size of the body; the result is not cached.
    package var interpretedBody: InterpretedBody? {
        if case .string(let text)? = content["text"], !text.text.isEmpty { return interpreted(text) }
        return body.data.map { InterpretedBody(bytes: $0) }
    }

    /// The body if the archive does not declare how its text was recorded, or nil for any other body.
    package var undeclaredBody: InterpretedBody? {
        guard mayBeUndeclared, case .string(let text)? = content["text"] else { return nil }
        let body = interpreted(text)
        return body.isDeclared ? nil : body
    }

    /// Whether the archive may not declare how the text of the body was recorded, judging by the beginning of the text.
    private var mayBeUndeclared: Bool {
        let content = content
        guard let start = content.fields.textStart("text"), !start.isEmpty else { return false }
        if content.encoding?.lowercased() == "base64" {
            let decoded = Base64.decode(String(decoding: start.prefix(64), as: UTF8.self))
            return decoded.map { mayBeCoded(Array($0), isText: false) } ?? false
        }
        let isText = !content.isMarked
        return isText && UnmarkedBase64.mayBegin(start) || mayBeCoded(start, isText: isText)
    }

    private func interpreted(_ text: JSONString) -> InterpretedBody {
        let content = content
        var body = InterpretedBody(bytes: Data())
        // Firefox marks plain text of some media types as Base64. If decoding fails, the text itself is the body.
        if content.encoding?.lowercased() == "base64", let data = Base64.decode(text.text) {
            body.bytes = data
        } else if !content.isMarked, UnmarkedBase64.mayBegin(text.text.utf8),
            let data = unmarkedBase64.decoded(text.text)
        {
            body = InterpretedBody(bytes: data, isUnmarkedBase64: true)
        } else if Self.isBinary(text.text), headers.isEncoded, let data = Self.bytes(ofCharacters: text.text) {
            // The characters are the bytes of the encoded body.
            body.bytes = data
            removeCodings(from: &body)
            if body.wasCoded { return body }
            body = InterpretedBody(bytes: bytes(of: text))
        } else {
            body.bytes = bytes(of: text)
        }
        removeCodings(from: &body)
        return body
    }

    private func removeCodings(from body: inout InterpretedBody) {
        body.removeCodings(content["_fileEncoding"]?.text == "identity" ? [] : headers, mediaType)
    }

    /// Returns whether text can be binary data that a tool wrote as the characters U+0000 to U+00FF.
    private static func isBinary(_ text: String) -> Bool {
        text.utf8.prefix(32).contains { $0 < 9 || 0x0E..<0x20 ~= $0 || $0 == 0xC2 }
    }

    /// Returns the bytes that the characters U+0000 to U+00FF represent, or nil if the text has other characters.
    private static func bytes(ofCharacters text: String) -> Data? {
        let scalars = text.unicodeScalars
        return scalars.allSatisfy({ $0.value <= 0xFF }) ? Data(scalars.map { UInt8($0.value) }) : nil
    }

    private var unmarkedBase64: UnmarkedBase64 {
        UnmarkedBase64(
            type: mediaType, wireSizes: headers.wireSizes(bodySize), size: content.size,
            isCoded: headers.isEncoded)
    }

    /// Returns whether a body may have to be converted as a whole.
    ///
    /// - Parameters:
    ///   - start: The first bytes of the recorded text or of the body.
    ///   - textCount: The length of the recorded text, in bytes; nil if it is not recorded as text.
    /// - Returns: `false` if the body is certainly declared.
    func mayNeedInterpretation(_ start: [UInt8], textCount: Int?) -> Bool {
        if let textCount, UnmarkedBase64.mayBegin(start), unmarkedBase64.mayDecode(start, count: textCount) {
            return true
        }
        return mayBeCoded(start, isText: textCount != nil)
    }

    /// Returns whether a body may have content codings, judging by the first bytes of the recorded text or of the body.
    private func mayBeCoded(_ start: [UInt8], isText: Bool) -> Bool {
        // Most bodies are text, so the fields are not read.
        let isBinary = start.withUnsafeBytes { $0.isBinary || isText && $0.contains(0xC2) }
        return isBinary && headers.isEncoded && content["_fileEncoding"]?.text != "identity"
    }

    /// Returns the bytes of the body, reading a file in the archive's folder if the body is stored separately.
    ///
    /// - Parameter folder: The folder of the archive.
    /// - Returns: The bytes, or nil if the body was not captured.
    /// - Throws: `unreadableFile` if the file is missing or reading it is not allowed; `limitExceeded` if it is too
    ///   large.
    public func bodyData(besideArchiveIn folder: URL) throws(HARError) -> Data? {
        try bodyData(in: HAR.BodyFolder(folder))
    }

    /// Returns the bytes of the body, reading a file in the archive's folder if the body is stored separately.
    ///
    /// - Parameter folder: The folder of the archive, with the settings for reading files in it.
    /// - Returns: The bytes, or nil if the body was not captured.
    /// - Throws: `unreadableFile` if the file is missing or reading it is not allowed; `limitExceeded` if it is too
    ///   large.
    public func bodyData(in folder: HAR.BodyFolder) throws(HARError) -> Data? {
        try interpretedBody(in: folder)?.bytes
    }

    /// Returns the body and its interpretation, reading a file in the archive's folder if the body is stored separately.
    ///
    /// - Parameter folder: The folder of the archive, with the settings for reading files in it.
    /// - Returns: The body, or nil if it was not captured.
    /// - Throws: The errors of ``bodyData(in:)``.
    package func interpretedBody(in folder: HAR.BodyFolder) throws(HARError) -> InterpretedBody? {
        if content.fields.contains("text") { return interpretedBody }
        let recorded = body
        guard case .file(let name) = recorded else { return recorded.data.map { InterpretedBody(bytes: $0) } }
        let data = try folder.read(name)
        // Relay writes the original bytes to the file.
        if content["_fileEncoding"]?.text == "identity" { return InterpretedBody(bytes: data) }
        // Playwright decodes text before writing it, both to the archive and to files.
        var body = InterpretedBody(
            bytes: String(validating: data, as: UTF8.self).map { bytes(of: JSONString($0)) } ?? data)
        removeCodings(from: &body)
        return body
    }

    /// Returns the body for reading it in parts.
    ///
    /// - Parameter folder: The folder of the archive.
    /// - Returns: The body, or nil if it is small, not in a separate file, or must be converted as a whole.
    /// - Throws: `unreadableFile` if the file is missing or reading it is not allowed.
    package func storedBody(in folder: HAR.BodyFolder) throws(HARError) -> StoredBody? {
        // Only a body without text in the archive can be in a file.
        guard content.fields.textStart("text") == nil else { return nil }
        guard case .file(let name) = body, let stored = try folder.storedBody(name),
            stored.count >= StoredBody.minimumSize
        else { return nil }
        if content["_fileEncoding"]?.text == "identity" { return stored }
        if mayNeedInterpretation(try stored.start(), textCount: nil) { return nil }
        let text = try stored.check()
        return !text.isValid || isUTF8(text) ? stored : nil
    }

    /// Returns whether the bytes of recorded text are its UTF-8, without knowing the text itself.
    ///
    /// If this function returns `true`, ``BodyText`` has the same result.
    ///
    /// - Parameter text: The properties of the text in UTF-8.
    /// - Returns: `true` if the bytes are the same.
    func isUTF8(_ text: UTF8Check) -> Bool {
        let sizes = [headers.bodyLength, content.size].compactMap { $0 }
        let charset = charset
        if text.isASCII {
            // With a byte order mark or in UTF-16, the bytes differ.
            return [nil, .utf8, .windows1252].contains(charset)
                && sizes.allSatisfy { $0 != text.count + 3 && $0 != 2 * (text.count + 1) }
        }
        let isDeclared = charset == .utf8 || charset == nil && headers.bodyLength != nil
        return isDeclared && sizes.allSatisfy { $0 == text.count }
    }

    /// The body as text, or `nil` if the body was not captured or is in a separate file.
    ///
    /// Bytes are decoded with the charset in the header fields or the recorded media type, or else as UTF-8.
    public var bodyText: String? {
        recordedText ?? body.data.map((charset ?? .utf8).decode)
    }

    /// The body as recorded text, which is already decoded, or nil if it was recorded as bytes.
    package var recordedText: String? {
        guard !content.isMarked, undeclaredBody == nil, let text = content.text, !text.isEmpty else { return nil }
        return text
    }

    /// Parses the body as JSON.
    ///
    /// - Returns: The value, or `nil` if the body was not captured or is in a separate file.
    /// - Throws: `malformedJSON` if the body is not JSON.
    public func bodyJSON() throws(HARError) -> JSONValue? {
        guard let text = bodyText else { return nil }
        return try JSONValue(parsing: text)
    }

    /// The size of the body after content codings are removed, in bytes, or `nil` if it is unknown.
    ///
    /// The value is the recorded size if present, or else the size of the body in the archive.
    public var decodedBodySize: Int? { content.size ?? body.data?.count }

    /// The media type in the recorded content, or else in the `Content-Type` header field, or `nil` if both are missing
    /// or invalid.
    public var mediaType: MediaType? {
        MediaType(content.mimeType) ?? header("content-type").flatMap(MediaType.init)
    }

    /// Returns the value of the first header field with the given name.
    ///
    /// - Parameter name: The name, ignoring case.
    /// - Returns: The value, or `nil` if the field is missing.
    public func header(_ name: String) -> String? { headers.value(of: name) }

    private func bytes(of text: JSONString) -> Data { encoded(text).bytes }

    private func encoded(_ text: JSONString) -> BodyText {
        BodyText(text: text, charset: charset, length: headers.bodyLength, size: content.size)
    }

    /// The text of the body and the information needed to encode it, or nil if the body is empty, in Base64 or not in
    /// the entry.
    var encodedText: BodyText? {
        let content = content
        guard case .string(let text)? = content["text"], !text.text.isEmpty else { return nil }
        if content.encoding?.lowercased() == "base64", Base64.decode(text.text) != nil { return nil }
        return undeclaredBody == nil ? encoded(text) : nil
    }

    /// The charset in the header fields, or else in the recorded media type.
    private var charset: Charset? {
        let label = header("content-type").flatMap { MediaType($0)?.charset } ?? MediaType(content.mimeType)?.charset
        return label.flatMap(Charset.init(label:))
    }

    /// Whether the recorded sizes indicate that a body without recorded text is empty.
    private var isKnownToBeEmpty: Bool {
        if let length = headers.bodyLength { return length == 0 }
        let size = content.size ?? bodySize
        return size == 0 || (headers.isEncoded && (size ?? .max) <= Self.emptyEncodedSize)
    }

    /// The maximum size of an empty body with a content coding: 20 bytes for gzip, fewer for others.
    private static let emptyEncodedSize = 20
}

extension HAR.Content {
    /// Whether the archive declares an encoding of the text.
    fileprivate var isMarked: Bool { encoding?.isEmpty == false }
}

extension [HAR.Header] {
    /// Returns the value of the first field with the given name.
    func value(of name: String) -> String? {
        let lowercased = name.lowercased()
        return first { header in
            let name = header.name
            // Names are ASCII, so uppercase and lowercase names have the same number of bytes.
            return name.utf8.count == lowercased.utf8.count && name.lowercased() == lowercased
        }?.value
    }

    /// Whether a content coding was applied to the body.
    var isEncoded: Bool { !["", "identity"].contains(value(of: "content-encoding")?.lowercased() ?? "") }

    /// The value of `Content-Length`, in bytes, or nil if a content coding was applied, because it changes the size.
    var bodyLength: Int? { isEncoded ? nil : value(of: "content-length").flatMap { Int($0) } }

    /// Returns the sizes that a body without content codings has on the wire, in bytes; empty if they are unknown.
    func wireSizes(_ bodySize: Int?) -> [Int] { isEncoded ? [] : [bodyLength, bodySize].compactMap { $0 } }
}

extension HAR.Response {
    /// Sets the body.
    ///
    /// It is stored as text if the text restores the same bytes, and as Base64 otherwise.
    ///
    /// The header fields and the media type of the content determine the encoding and must be set first.
    ///
    /// - Parameter body: The bytes, after content codings are removed.
    package mutating func embed(_ body: Data) { embed(body, as: mediaType) }

    /// Sets the body like ``embed(_:)``, with the media type that ``mediaType`` returns.
    package mutating func embed(_ body: Data, as type: MediaType?) {
        let charset = type?.charset.map(Charset.init(label:))
        // Most bodies need not be decoded again to know that the text is read as the same bytes.
        let isVerbatim =
            (charset == nil || charset == .utf8) && body.withUnsafeBytes(\.isASCII)
            && !mayNeedInterpretation(Array(body.prefix(64)), textCount: body.count)
        for text in RecordedText.candidates(for: body, type: type) {
            content.text = text
            if isVerbatim || self.body == .data(body) { return }
        }
        content.text = body.base64EncodedString()
        content.encoding = "base64"
        // The body itself can look like data with the content coding that was removed.
        if self.body != .data(body) { content["_fileEncoding"] = "identity" }
    }
}
