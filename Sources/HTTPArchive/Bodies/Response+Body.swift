import Foundation

extension HAR.Response {
    /// The body as it came, free of content codings such as gzip.
    ///
    /// Text that the tool decoded is encoded again in the charset of the answer, so that the bytes are those of the wire.
    /// An empty body and one that was not captured are told apart.
    ///
    /// - Complexity: O(*n*) in the size of the body; nothing is kept.
    public var body: HAR.Body {
        let content = content
        if content.text == nil, let file = content["_file"]?.text { return .file(file) }
        guard let text = content.text, !text.isEmpty || (content.size ?? 0) == 0 else {
            return isKnownToBeEmpty ? .data(Data()) : .notCaptured
        }
        if content.encoding?.lowercased() == "base64" {
            return Base64.decode(text).map(HAR.Body.data) ?? .notCaptured
        }
        return .data(BodyText.bytes(of: text, charset: charset, size: content.size))
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

    /// The media type: the content's own where it says something, else the header field's; `nil` when neither does.
    var mediaType: MediaType? {
        MediaType(content.mimeType) ?? header("content-type").flatMap(MediaType.init)
    }

    /// The value of the first header field of that name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: `nil` when there is none.
    public func header(_ name: String) -> String? { headers.value(of: name) }

    /// The charset that the headers name, or the recorded media type.
    private var charset: Charset? {
        let label = header("content-type").flatMap { MediaType($0)?.charset } ?? MediaType(content.mimeType)?.charset
        return label.flatMap(Charset.init(label:))
    }

    /// Whether the sizes say that nothing is missing although no text was recorded.
    private var isKnownToBeEmpty: Bool {
        if let size = content.size { return size == 0 }
        return bodySize == 0 || header("content-length") == "0"
    }
}

extension [HAR.Header] {
    /// The value of the first field of that name.
    package func value(of name: String) -> String? {
        first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
}
