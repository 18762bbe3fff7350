package import Foundation

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
