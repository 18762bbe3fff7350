public import Foundation

extension HAR.Request {
    /// The body as it was sent.
    ///
    /// A form of which only the fields were recorded is encoded again, as `application/x-www-form-urlencoded` or
    /// `multipart/form-data`. A request without a body gives no bytes.
    ///
    /// - Complexity: O(*n*) in the size of the body; nothing is kept.
    public var body: HAR.Body {
        guard let postData else { return withoutText }
        if case .string(let text)? = postData["text"], !text.text.isEmpty {
            if postData.isBase64, let data = Base64.decode(text.text) { return .data(data) }
            return .data(encoded(text, of: postData).bytes)
        }
        if let file = postData["_file"]?.text { return .file(file) }
        guard let params = postData.params, !params.isEmpty else { return withoutText }
        return Form.encode(params, as: MediaType(postData.mimeType)).map(HAR.Body.data) ?? .notCaptured
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
        return try folder.read(name)
    }

    /// The value of the first header field of that name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: `nil` when there is none.
    public func header(_ name: String) -> String? { headers.value(of: name) }

    private func encoded(_ text: JSONString, of postData: HAR.PostData) -> BodyText {
        let charset = MediaType(postData.mimeType)?.charset.flatMap(Charset.init(label:))
        return BodyText(text: text, charset: charset, length: headers.bodyLength, size: nil)
    }

    /// The text of the body with the facts that tell its encoding; nil if the body is empty, Base64 or not in the entry.
    var encodedText: BodyText? {
        guard let postData, case .string(let text)? = postData["text"], !text.text.isEmpty else { return nil }
        if postData.isBase64, Base64.decode(text.text) != nil { return nil }
        return encoded(text, of: postData)
    }

    /// The body where no text of it was recorded: none, unless a size says that there was one.
    private var withoutText: HAR.Body {
        (bodySize ?? 0) > 0 || (headers.bodyLength ?? 0) > 0 ? .notCaptured : .data(Data())
    }
}

extension HAR.PostData {
    /// Whether the text is said to be Base64.
    fileprivate var isBase64: Bool {
        (self["encoding"]?.text ?? self["_encoding"]?.text)?.lowercased() == "base64"
    }
}
