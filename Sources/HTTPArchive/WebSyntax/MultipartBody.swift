package import Foundation

/// A multipart body with any boundary (RFC 2046, section 5.1, https://www.rfc-editor.org/rfc/rfc2046#section-5.1).
package struct MultipartBody: Hashable, Sendable {
    /// One part of a multipart body.
    package struct Part: Hashable, Sendable {
        /// The name of the form field; empty if the part has none.
        package let name: String

        /// The name of the file; `nil` if the part is not a file.
        package let fileName: String?

        /// The media type in lower case, without parameters; `nil` if the part names none.
        package let type: String?

        /// The content, without headers.
        package let content: Data
    }

    /// The parts in order.
    package let parts: [Part]

    /// Parses a body; returns `nil` if it has no complete part.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: The media type of the request. If it names no boundary, the first line is used as the boundary.
    package init?(_ body: Data, type: MediaType?) {
        let parts = body.withUnsafeBytes { bytes -> [Part] in
            guard let boundary = MultipartPart.boundary(of: bytes, type: type) else { return [] }
            return MultipartPart.parts(of: bytes, boundary: boundary, tolerance: .complete).map { part in
                Part(
                    name: part.name ?? "", fileName: part.fileName,
                    type: part.type.flatMap { MediaType($0)?.essence }, content: Data(bytes[part.content]))
            }
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }
}

extension MultipartBody {
    /// A text field of a form, to be written.
    package struct TextField: Sendable {
        /// The name of the field.
        package var name: String

        /// The name of the file; `nil` if the field is not a file.
        package var fileName: String?

        /// The media type; `nil` to write none.
        package var type: String?

        /// The content.
        package var value: String

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - fileName: The name of the file; `nil` (the default) if the field is not a file.
        ///   - type: The media type; `nil` (the default) to write none.
        ///   - value: The content.
        package init(name: String, fileName: String? = nil, type: String? = nil, value: String) {
            self.name = name
            self.fileName = fileName
            self.type = type
            self.value = value
        }
    }

    /// Returns text fields as a request body.
    ///
    /// Quotation marks and line breaks in names are percent-encoded, as in browsers
    /// (https://html.spec.whatwg.org/#multipart-form-data).
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - boundary: The boundary without its hyphens.
    /// - Returns: The body.
    package static func body(_ fields: [TextField], boundary: String) -> Data {
        var text = ""
        for field in fields {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(field.name))\""
            if let fileName = field.fileName { text += "; filename=\"\(quoted(fileName))\"" }
            if let type = field.type { text += "\r\nContent-Type: \(type)" }
            text += "\r\n\r\n\(field.value)\r\n"
        }
        return Data((text + "--\(boundary)--\r\n").utf8)
    }

    private static let quotedCharacters = ByteSet.all.subtracting("\"\r\n")

    private static func quoted(_ name: String) -> String {
        PercentEncoding.encoded(name, keeping: quotedCharacters)
    }
}
