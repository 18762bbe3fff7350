package import Foundation

extension HAR.Request {
    /// Adds a body: as text where it is read from there as the same bytes, else in Base64.
    ///
    /// The header fields say what it is, so they must be there before.
    ///
    /// - Parameter body: The bytes, free of content codings.
    package mutating func embed(_ body: Data) {
        let declared = header("content-type")
        let label = declared ?? RecordedForm.undeclaredType
        let type = declared.flatMap(MediaType.init)
        let params = RecordedForm.fields(of: body, type: type)
        for text in RecordedText.candidates(for: body, type: type) {
            postData = HAR.PostData(mimeType: label, params: params, text: text)
            if self.body == .data(body) { return }
        }
        postData = HAR.PostData(mimeType: label, params: params, text: body.base64EncodedString())
        // HAR has no field for it in requests.
        postData?["_encoding"] = "base64"
    }
}
