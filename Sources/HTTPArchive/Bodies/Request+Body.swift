public import Foundation

extension HAR.Request {
    /// The body as sent.
    ///
    /// If only the fields of a form were recorded, the form is encoded again as `application/x-www-form-urlencoded` or
    /// `multipart/form-data`. If the request has no body, the value is empty data.
    ///
    /// - Complexity: O(*n*) in the size of the body; the result is not cached.
    public var body: HAR.Body {
        guard let postData else { return withoutText }
        if case .string(let text)? = postData["text"], !text.text.isEmpty {
            return .data(interpreted(text, of: postData).bytes)
        }
        if let file = postData["_file"]?.text { return .file(file) }
        guard let params = postData.params, !params.isEmpty else { return withoutText }
        return Form.encode(params, as: MediaType(postData.mimeType)).map(HAR.Body.data) ?? .notCaptured
    }

    /// The body and its interpretation, or nil if it was not captured or is in a separate file.
    ///
    /// - Complexity: O(*n*) in the size of the body; the result is not cached.
    package var interpretedBody: InterpretedBody? {
        if let postData, case .string(let text)? = postData["text"], !text.text.isEmpty {
            return interpreted(text, of: postData)
        }
        return body.data.map { InterpretedBody(bytes: $0) }
    }

    /// The body if the archive does not declare how its text was recorded, or nil for any other body.
    package var undeclaredBody: InterpretedBody? {
        // Most texts cannot be Base64, so only their beginning is read.
        guard let postData, let start = postData.fields.textStart("text"), UnmarkedBase64.mayBegin(start),
            !postData.isBase64, case .string(let text)? = postData["text"], !text.text.isEmpty
        else { return nil }
        let body = interpreted(text, of: postData)
        return body.isDeclared ? nil : body
    }

    private func interpreted(_ text: JSONString, of postData: HAR.PostData) -> InterpretedBody {
        if postData.isBase64, let data = Base64.decode(text.text) { return InterpretedBody(bytes: data) }
        if postData.encoding == nil, UnmarkedBase64.mayBegin(text.text.utf8),
            let data = unmarkedBase64(postData).decoded(text.text)
        {
            return InterpretedBody(bytes: data, isUnmarkedBase64: true)
        }
        return InterpretedBody(bytes: encoded(text, of: postData).bytes)
    }

    private func unmarkedBase64(_ postData: HAR.PostData) -> UnmarkedBase64 {
        let type = MediaType(postData.mimeType) ?? header("content-type").flatMap(MediaType.init)
        return UnmarkedBase64(type: type, wireSizes: headers.wireSizes(bodySize), isCoded: headers.isEncoded)
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
        let body = body
        if case .file(let name) = body { return try folder.read(name) }
        return body.data
    }

    /// Returns the value of the first header field with the given name.
    ///
    /// - Parameter name: The name, ignoring case.
    /// - Returns: The value, or `nil` if the field is missing.
    public func header(_ name: String) -> String? { headers.value(of: name) }

    private func encoded(_ text: JSONString, of postData: HAR.PostData) -> BodyText {
        let charset = MediaType(postData.mimeType)?.charset.flatMap(Charset.init(label:))
        return BodyText(text: text, charset: charset, length: headers.bodyLength, size: nil)
    }

    /// The text of the body and the information needed to encode it, or nil if the body is empty, in Base64 or not in
    /// the entry.
    var encodedText: BodyText? {
        guard let postData, case .string(let text)? = postData["text"], !text.text.isEmpty else { return nil }
        if postData.isBase64, Base64.decode(text.text) != nil { return nil }
        return undeclaredBody == nil ? encoded(text, of: postData) : nil
    }

    /// The body if no text was recorded: empty data, or ``HAR/Body/notCaptured`` if a recorded size is not 0.
    private var withoutText: HAR.Body {
        (bodySize ?? 0) > 0 || (headers.bodyLength ?? 0) > 0 ? .notCaptured : .data(Data())
    }
}

extension HAR.PostData {
    /// The encoding of the text, which HAR defines only for responses.
    package var encoding: String? { self["encoding"]?.text ?? self["_encoding"]?.text }

    /// Whether the text is marked as Base64.
    fileprivate var isBase64: Bool { encoding?.lowercased() == "base64" }
}

extension HAR.Request {
    /// Sets the body.
    ///
    /// It is stored as text if the text restores the same bytes, and as Base64 otherwise.
    ///
    /// The header fields determine the encoding and must be set first.
    ///
    /// - Parameter body: The bytes, after content codings are removed.
    package mutating func embed(_ body: Data) {
        let declared = header("content-type")
        let label = declared ?? FormParser.undeclaredType
        let type = declared.flatMap(MediaType.init)
        let params = FormParser.fields(of: body, type: type)
        for text in RecordedText.candidates(for: body, type: type) {
            postData = HAR.PostData(mimeType: label, params: params, text: text)
            if self.body == .data(body) { return }
        }
        postData = HAR.PostData(mimeType: label, params: params, text: body.base64EncodedString())
        // HAR defines `encoding` only for responses.
        postData?["_encoding"] = "base64"
    }
}

/// Encodes forms as request bodies.
enum Form {
    /// Encodes the fields of a form.
    ///
    /// - Returns: The body, or `nil` if the type is not a form type, or if the boundary of a multipart form or the
    ///   content of a file is missing.
    static func encode(_ fields: [HAR.Parameter], as type: MediaType?) -> Data? {
        switch type?.essence {
        case "application/x-www-form-urlencoded", nil: FormEncoding.body(fields.map { ($0.name, $0.value) })
        case "multipart/form-data": type?.parameters["boundary"].flatMap { multipart(fields, boundary: $0) }
        default: nil
        }
    }

    /// Encodes a multipart form, or returns `nil` if the content of a file is missing.
    private static func multipart(_ fields: [HAR.Parameter], boundary: String) -> Data? {
        var parts: [MultipartBody.Part] = []
        for field in fields {
            guard let value = field.value ?? (field.fileName == nil ? "" : nil) else { return nil }
            parts.append(
                MultipartBody.Part(
                    name: field.name, fileName: field.fileName, type: field.contentType, content: Data(value.utf8)))
        }
        return MultipartBody.body(parts, boundary: boundary)
    }
}
