public import Foundation

extension HAR.Response {
    /// The body as it came, free of content codings such as gzip.
    ///
    /// Text that the tool decoded is encoded again in the charset of the answer, so that the bytes are those of the wire.
    /// An empty body and one that was not captured are told apart.
    ///
    /// - Complexity: O(*n*) in the size of the body; nothing is kept.
    public var body: HAR.Body {
        let content = content
        guard case .string(let text)? = content["text"] else {
            if let file = content["_file"]?.text { return .file(file) }
            return isKnownToBeEmpty ? .data(Data()) : .notCaptured
        }
        if text.text.isEmpty {
            return (content.size ?? 0) == 0 || isKnownToBeEmpty ? .data(Data()) : .notCaptured
        }
        // Firefox calls text base64 for some media types: what cannot be decoded is taken as it stands.
        if content.encoding?.lowercased() == "base64", let data = Base64.decode(text.text) { return .data(data) }
        return .data(bytes(of: text))
    }

    /// The bytes of the body, from a file beside the archive if that is where they are.
    ///
    /// - Parameter folder: The folder of the archive.
    /// - Returns: Nil if the body was not captured.
    /// - Throws: `unreadableFile` if the file is missing or must not be read; `limitExceeded` if it is too large.
    public func bodyData(besideArchiveIn folder: URL) throws(HARError) -> Data? {
        try bodyData(in: HAR.BodyFolder(folder))
    }

    /// The bytes of the body, from a file beside the archive if that is where they are.
    ///
    /// - Parameter folder: The folder of the archive, with the settings for reading files in it.
    /// - Returns: Nil if the body was not captured.
    /// - Throws: `unreadableFile` if the file is missing or must not be read; `limitExceeded` if it is too large.
    public func bodyData(in folder: HAR.BodyFolder) throws(HARError) -> Data? {
        guard case .file(let name) = body else { return body.data }
        let data = try folder.read(name)
        // What Relay writes is as it came.
        if content["_fileEncoding"]?.text == "identity" { return data }
        // Playwright decodes text before it writes it to a file, as it does within the archive.
        return String(validating: data, as: UTF8.self).map { bytes(of: JSONString($0)) } ?? data
    }

    /// The body as text; `nil` when it was not captured, or stands in a file beside the archive.
    ///
    /// Bytes are decoded in the charset that the headers name, UTF-8 if they name none.
    public var bodyText: String? {
        if let text = content.text, !text.isEmpty, content.encoding == nil { return text }
        return body.data.map((charset ?? .utf8).decode)
    }

    /// The body as JSON.
    ///
    /// - Returns: `nil` when it was not captured, or stands in a file beside the archive.
    /// - Throws: `malformedJSON` when the body is something else.
    public func bodyJSON() throws(HARError) -> JSONValue? {
        guard let text = bodyText else { return nil }
        return try JSONValue(parsing: text)
    }

    /// The number of bytes of the body without content codings, as it was recorded or else as the archive has them; `nil`
    /// when it is unknown.
    public var decodedBodySize: Int? { content.size ?? body.data?.count }

    /// The media type: the content's own where it says something, else the header field's; `nil` when neither does.
    public var mediaType: MediaType? {
        MediaType(content.mimeType) ?? header("content-type").flatMap(MediaType.init)
    }

    /// The value of the first header field of that name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: `nil` when there is none.
    public func header(_ name: String) -> String? { headers.value(of: name) }

    private func bytes(of text: JSONString) -> Data { encoded(text).bytes }

    private func encoded(_ text: JSONString) -> BodyText {
        BodyText(text: text, charset: charset, length: headers.bodyLength, size: content.size)
    }

    /// The text of the body with the facts that tell its encoding; nil if the body is empty, Base64 or not in the entry.
    var encodedText: BodyText? {
        let content = content
        guard case .string(let text)? = content["text"], !text.text.isEmpty else { return nil }
        if content.encoding?.lowercased() == "base64", Base64.decode(text.text) != nil { return nil }
        return encoded(text)
    }

    /// The charset that the headers name, or the recorded media type.
    private var charset: Charset? {
        let label = header("content-type").flatMap { MediaType($0)?.charset } ?? MediaType(content.mimeType)?.charset
        return label.flatMap(Charset.init(label:))
    }

    /// Whether the sizes say that nothing is missing although no text was recorded.
    private var isKnownToBeEmpty: Bool {
        if let length = headers.bodyLength { return length == 0 }
        let size = content.size ?? bodySize
        return size == 0 || (headers.isEncoded && (size ?? .max) <= Self.emptyEncodedSize)
    }

    /// What an empty body takes at most once it is encoded: 20 bytes with gzip, fewer with others.
    private static let emptyEncodedSize = 20
}

extension [HAR.Header] {
    /// The value of the first field of that name.
    func value(of name: String) -> String? {
        let lowercased = name.lowercased()
        return first { header in
            let name = header.name
            // Names are of ASCII, which has as many bytes in either case.
            return name.utf8.count == lowercased.utf8.count && name.lowercased() == lowercased
        }?.value
    }

    /// Whether a content coding was applied to the body.
    var isEncoded: Bool { !["", "identity"].contains(value(of: "content-encoding")?.lowercased() ?? "") }

    /// The number of bytes of the body, where it is that of the body without content codings.
    var bodyLength: Int? { isEncoded ? nil : value(of: "content-length").flatMap { Int($0) } }
}

extension HAR.Response {
    /// Adds a body to the content: as text where it is read from there as the same bytes, else in Base64.
    ///
    /// The header fields and the content's media type say what it is, so they must be there before.
    ///
    /// - Parameter body: The bytes, free of content codings.
    package mutating func embed(_ body: Data) {
        for text in RecordedText.candidates(for: body, type: mediaType) {
            content.text = text
            if self.body == .data(body) { return }
        }
        content.text = body.base64EncodedString()
        content.encoding = "base64"
    }
}
