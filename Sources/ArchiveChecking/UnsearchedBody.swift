package import Foundation
package import HTTPArchive

/// A body that cannot be searched for secrets.
///
/// Its format is binary and not a known image, audio, video or font format.
package struct UnsearchedBody: Sendable {
    /// The location of the body, or of its file name, relative to the entry.
    package let pointer: JSONPointer

    /// The content coding or the media type.
    package let format: String
}

extension UnsearchedBody {
    /// Returns the bodies in an entry that cannot be searched.
    ///
    /// Bodies in separate files are not included; see ``init(_:_:of:)``.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: At most one body for the request and one for the response.
    package static func bodies(of entry: HAR.Entry) -> [UnsearchedBody] {
        [body(of: entry, "request", "postData"), body(of: entry, "response", "content")].compactMap { $0 }
    }

    /// Creates a description of a body in a separate file; returns nil if the body can be searched.
    ///
    /// - Parameters:
    ///   - file: The reference to the file.
    ///   - content: The content of the file.
    ///   - entry: The entry.
    package init?(_ file: BodyReference, _ content: Data, of entry: HAR.Entry) {
        let coding = file.pointer.components.first.flatMap { entry[$0]?.object }.flatMap(Self.coding)
        let format = [UInt8](content.prefix(96)).withUnsafeBytes {
            Self.format(of: $0, type: file.mediaType ?? "", coding: coding)
        }
        guard let format else { return nil }
        self.init(pointer: file.pointer, format: format)
    }

    private static func body(of entry: HAR.Entry, _ part: String, _ name: String) -> UnsearchedBody? {
        guard let message = entry[part]?.object, let body = message[name]?.object, let text = body["text"]?.text,
            !text.isEmpty
        else { return nil }
        let encoding = body.text("encoding") ?? body.text("_encoding")
        guard encoding?.lowercased() == "base64", let start = Base64.decode(String(text.prefix(128))) else {
            return nil
        }
        if name == "content", HAR.Response(fields: message).undeclaredBody?.wasCoded == true { return nil }
        let type = body.text("mimeType") ?? ""
        let format = start.withUnsafeBytes { Self.format(of: $0, type: type, coding: coding(message)) }
        return format.map { UnsearchedBody(pointer: JSONPointer([part, name, "text"]), format: $0) }
    }

    /// Returns the format of a body that cannot be searched, or nil if the body can be searched or is known to contain
    /// no text.
    ///
    /// - Parameters:
    ///   - start: The first bytes of the body.
    ///   - type: The media type with its parameters.
    ///   - coding: The last content coding, if any.
    /// - Returns: The format.
    static func format(of start: UnsafeRawBufferPointer, type: String, coding: String?) -> String? {
        guard start.isBinary, Deflate.Format(of: [UInt8](start)) == nil,
            DecodedText(wide: start, charset: MediaType(type)?.charset) == nil
        else { return nil }
        let essence = MediaType(type)?.essence ?? "unknown"
        if let coding, !["", "identity", "deflate", "gzip", "x-gzip"].contains(coding) { return coding }
        if coding == "deflate" || harmless.contains(where: { essence.hasPrefix($0) }) { return nil }
        return essence
    }

    private static let harmless = ["image/", "audio/", "video/", "font/", "application/font", "application/wasm"]

    private static func coding(_ message: JSONObject) -> String? {
        let header = message["headers"]?.array?.last { $0["name"]?.text?.lowercased() == "content-encoding" }
        return header?["value"]?.text?.split(separator: ",").last.map { $0.filter { !$0.isWhitespace }.lowercased() }
    }
}

extension BodyReference {
    /// Returns the content of the file without the content codings that the header fields declare.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - entry: The entry.
    /// - Returns: The decoded content; unchanged if it does not have the codings.
    package func withoutCodings(_ content: Data, of entry: HAR.Entry) -> Data {
        let isRequest = pointer.components.first == "request"
        var body = InterpretedBody(bytes: content)
        if isRequest || entry.response.content["_fileEncoding"]?.text != "identity" {
            let headers = isRequest ? entry.request.headers : entry.response.headers
            body.removeCodings(headers, mediaType.flatMap { MediaType($0) })
        }
        return body.bytes
    }
}
