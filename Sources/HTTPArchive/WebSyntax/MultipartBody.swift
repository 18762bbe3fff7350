package import Foundation

/// A parsed multipart body (RFC 2046, section 5.1, https://www.rfc-editor.org/rfc/rfc2046#section-5.1).
package struct MultipartBody: Hashable, Sendable {
    /// One part of a multipart body, such as a form field.
    package struct Part: Hashable, Sendable {
        /// The name of the form field, or an empty string if the part has none.
        package let name: String

        /// The name of the file, or `nil` if the part is not a file.
        package let fileName: String?

        /// The media type, or `nil` if the part has none.
        ///
        /// In a parsed body, it is in lowercase and has no parameters.
        package let type: String?

        /// The content, without headers.
        package let content: Data

        /// Creates a part.
        ///
        /// - Parameters:
        ///   - name: The name of the form field.
        ///   - fileName: The name of the file, or `nil` if the part is not a file.
        ///   - type: The media type, or `nil` to omit it.
        ///   - content: The content.
        package init(name: String, fileName: String?, type: String?, content: Data) {
            self.name = name
            self.fileName = fileName
            self.type = type
            self.content = content
        }
    }

    /// The parts, in order.
    package let parts: [Part]

    /// The maximum number of parts, to limit memory use.
    private static let mostParts = 100_000

    /// Parses a body.
    ///
    /// Returns `nil` if it has no complete part or more than 100,000 parts.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: The media type of the request. If it has no boundary, the first line of the body provides the
    ///     boundary.
    package init?(_ body: Data, type: MediaType?) {
        let parts = body.withUnsafeBytes { bytes -> [Part] in
            guard let boundary = MultipartPart.boundary(of: bytes, type: type) else { return [] }
            let parts = MultipartPart.Parts(of: bytes, boundary: boundary, tolerance: .complete)
            return parts.prefix(Self.mostParts + 1).map { part in
                Part(
                    name: part.name ?? "", fileName: part.fileName,
                    type: part.type.flatMap { MediaType($0)?.essence }, content: Data(bytes[part.content]))
            }
        }
        guard !parts.isEmpty, parts.count <= Self.mostParts else { return nil }
        self.parts = parts
    }
}

extension MultipartBody {
    /// Encodes form fields as a request body.
    ///
    /// Quotation marks and line breaks in names are percent-encoded, as in browsers
    /// (https://html.spec.whatwg.org/#multipart-form-data).
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - boundary: The boundary without its leading hyphens.
    /// - Returns: The body.
    package static func body(_ fields: [Part], boundary: String) -> Data {
        var body = Data()
        for field in fields {
            var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(field.name))\""
            if let fileName = field.fileName { text += "; filename=\"\(quoted(fileName))\"" }
            if let type = field.type { text += "\r\nContent-Type: \(type)" }
            body += Data((text + "\r\n\r\n").utf8) + field.content + Data("\r\n".utf8)
        }
        return body + Data("--\(boundary)--\r\n".utf8)
    }

    private static let quotedCharacters = ByteSet.all.subtracting("\"\r\n")

    private static func quoted(_ name: String) -> String {
        PercentEncoding.encoded(name, keeping: quotedCharacters)
    }
}
