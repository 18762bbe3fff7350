import Foundation
import HTTPArchive

/// The body of a response as text, in the charset that the response says it has.
struct TextBody {
    private let body: Data
    private let charset: Charset

    /// Takes the body of a response; `nil` when it is no text.
    init?(of response: InterceptedResponse) {
        let type = response.headers.values(named: "content-type").first.flatMap(MediaType.init)
        if let charset = type?.charset.flatMap(Charset.init(label:)) {
            self.charset = charset
        } else if String(validating: response.body, as: UTF8.self) != nil {
            charset = .utf8
        } else if type?.essence.hasPrefix("text/") == true {
            charset = .windows1252
        } else {
            return nil
        }
        body = response.body
    }

    /// The bytes of the changed text; `nil` when it is the same.
    ///
    /// - Parameter change: Is given the text in UTF-8, and gives the new one. What was no text in a body of UTF-8 stays.
    /// - Returns: The text in its charset.
    /// - Throws: `overrideFailed` when the charset cannot write it.
    func changed(_ change: ([UInt8]) throws -> [UInt8]) throws -> [UInt8]? {
        let text = charset == .utf8 ? [UInt8](body) : [UInt8](charset.decode(body).utf8)
        let changed = try change(text)
        guard changed != text else { return nil }
        if charset == .utf8 { return changed }
        guard let bytes = charset.encodeExactly(String(decoding: changed, as: UTF8.self)) else {
            throw HARError(
                .overrideFailed, "The body's charset cannot write the new text; take the whole body as UTF-8 instead.")
        }
        return [UInt8](bytes)
    }
}
