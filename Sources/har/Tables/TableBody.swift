import Foundation

/// The body of a message in a table.
struct TableBody {
    /// The body as text if it is UTF-8, or else in Base64; nil if it was not captured.
    let text: String?

    /// The encoding of ``text``, which is nil for plain text.
    let encoding: String?

    /// Encodes a body.
    init(_ data: Data?) {
        if let data, let text = String(validating: data, as: UTF8.self) {
            self.text = text
            encoding = nil
        } else {
            text = data?.base64EncodedString()
            encoding = data == nil ? nil : "base64"
        }
    }
}
