import Foundation

extension HAR.Request {
    /// The body as it was sent.
    ///
    /// A form of which only the fields were recorded is encoded again, as `application/x-www-form-urlencoded` or
    /// `multipart/form-data`. A request without a body gives no bytes.
    public var body: HAR.Body {
        guard let postData else { return (bodySize ?? 0) > 0 ? .notCaptured : .data(Data()) }
        if postData.text == nil, let file = postData["_file"]?.text { return .file(file) }
        if let text = postData.text, !text.isEmpty {
            let encoding = postData["encoding"]?.text ?? postData["_encoding"]?.text
            if encoding?.lowercased() == "base64" { return Base64.decode(text).map(HAR.Body.data) ?? .notCaptured }
            let charset = MediaType(postData.mimeType)?.charset.flatMap(Charset.init(label:))
            return .data(BodyText.bytes(of: text, charset: charset, size: bodySize))
        }
        guard let params = postData.params, !params.isEmpty else {
            return (bodySize ?? 0) > 0 ? .notCaptured : .data(Data())
        }
        return Form.encode(params, as: MediaType(postData.mimeType)).map(HAR.Body.data) ?? .notCaptured
    }

    /// The value of the first header field of that name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: `nil` when there is none.
    public func header(_ name: String) -> String? { headers.value(of: name) }
}
