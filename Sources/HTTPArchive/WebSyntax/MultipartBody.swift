package import Foundation

/// A parsed multipart body (RFC 2046, section 5.1, https://www.rfc-editor.org/rfc/rfc2046#section-5.1).
package struct MultipartBody: Hashable, Sendable {
    /// One part of a multipart body, such as a form field.
    package struct Part: Hashable, Sendable {
        /// The name of the form field, or an empty string if the part has none.
        package let name: String

        /// The name of the file, or `nil` if the part is not a file.
        package var fileName: String?

        /// The media type, or `nil` if the part has none.
        ///
        /// In a parsed body, it is in lowercase and has no parameters.
        package var type: String?

        /// The content, without headers.
        package var content: Data

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

/// A part of a multipart body.
///
/// Its content is a range of the body (RFC 2046, section 5.1, https://www.rfc-editor.org/rfc/rfc2046#section-5.1; RFC
/// 7578, https://www.rfc-editor.org/rfc/rfc7578).
package struct MultipartPart: Sendable {
    /// The strictness of a parser.
    package enum Tolerance: Sendable {
        /// Finds only complete parts. Each delimiter must start a line, and another delimiter must follow each part.
        case complete

        /// Finds everything that could be a part, so that redaction also finds secrets in malformed bodies.
        ///
        /// This includes text before the first delimiter, after the last delimiter, and after a delimiter within a
        /// line.
        case all
    }

    /// The name of the form field, or `nil` if the part has none.
    package private(set) var name: String?

    /// The name of the file, or `nil` if the part is not a file.
    package private(set) var fileName: String?

    /// The media type as written, or `nil` if the part has none.
    package private(set) var type: String?

    /// The range of the content in the body, without the line break before the next delimiter.
    package private(set) var content: Range<Int>

    /// Returns the boundary of a body.
    ///
    /// The boundary is the `boundary` parameter of the media type. If it is missing, the first line of the body
    /// provides the boundary, because some tools record media types without parameters.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The media type.
    /// - Returns: The boundary without its leading hyphens, or `nil` if neither provides one.
    package static func boundary(of body: UnsafeRawBufferPointer, type: MediaType?) -> [UInt8]? {
        if let boundary = type?.parameters["boundary"], !boundary.isEmpty { return Array(boundary.utf8) }
        guard body.starts(with: "--".utf8) else { return nil }
        let line = body.dropFirst(2).prefix(longestBoundary + 1).prefix { $0 != 0x0D && $0 != 0x0A }
        return line.isEmpty || line.count > longestBoundary ? nil : Array(line)
    }

    /// The maximum length of a boundary that is taken from a body, in bytes.
    ///
    /// RFC 2046 allows 70 bytes.
    private static let longestBoundary = 200

    /// A lazy sequence of the parts of a body, in order.
    package struct Parts: Sequence, IteratorProtocol {
        private let body: UnsafeRawBufferPointer
        private let delimiter: [UInt8]
        private let tolerance: Tolerance

        /// The offset of the current part, or nil if no part has started.
        private var start: Int?

        /// The offset after the most recent delimiter.
        private var position = 0

        private var isAtEnd = false

        /// Creates a sequence of the parts of a body.
        ///
        /// - Parameters:
        ///   - body: The body. Lines end in CRLF or LF.
        ///   - boundary: The boundary without its leading hyphens.
        ///   - tolerance: The strictness of the parser.
        package init(of body: UnsafeRawBufferPointer, boundary: [UInt8], tolerance: Tolerance) {
            self.body = body
            self.tolerance = tolerance
            delimiter = Array("--".utf8) + boundary
            start = tolerance == .all ? 0 : nil
        }

        /// Returns the next part, or nil at the end.
        ///
        /// - Complexity: O(*n*) for all parts together, where *n* is the size of the body.
        package mutating func next() -> MultipartPart? {
            while !isAtEnd {
                if let range = nextRange() { return MultipartPart(in: body, range) }
            }
            return nil
        }

        /// Advances to the next delimiter or the end of the body.
        ///
        /// Returns the range of the part before that offset, if any.
        private mutating func nextRange() -> Range<Int>? {
            guard let found = body[from: position].firstOffset(of: delimiter) else {
                isAtEnd = true
                guard tolerance == .all, let start, start < body.count else { return nil }
                return start..<body.count
            }
            let offset = position + found
            position = offset + delimiter.count
            guard tolerance == .all || offset == 0 || body[offset - 1] == 0x0A else { return nil }
            let part = start.flatMap { $0 < offset || tolerance == .complete ? $0..<Swift.max($0, offset) : nil }
            start = body[from: position].firstOffset(of: 0x0A).map { position + $0 + 1 }
            isAtEnd = tolerance == .complete && body[from: position].starts(with: "--".utf8)
            return part
        }
    }

    /// Parses the bytes after a delimiter line.
    ///
    /// If no empty line ends the header fields, the last line is the content.
    fileprivate init(in body: UnsafeRawBufferPointer, _ range: Range<Int>) {
        // The line break before a delimiter belongs to the delimiter.
        var end = range.upperBound
        if end > range.lowerBound, body[end - 1] == 0x0A {
            end -= 1
            if end > range.lowerBound, body[end - 1] == 0x0D { end -= 1 }
        }
        content = range.lowerBound..<end
        while let count = body[from: content.lowerBound, to: end].firstOffset(of: 0x0A) {
            let start = content.lowerBound
            let line = body[from: start, to: start + count - (count > 0 && body[start + count - 1] == 0x0D ? 1 : 0)]
            content = start + count + 1..<end
            if line.isEmpty { return }
            read(line)
        }
    }

    private mutating func read(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstOffset(of: UInt8(ascii: ":")) else { return }
        // Compare the length first, to avoid decoding a long line of content in a malformed body.
        let name = line[..<colon].withoutBlanks
        guard name.count == Self.typeName.count || name.count == Self.dispositionName.count,
            let field = FieldLine(Substring(decoding: line, as: UTF8.self))
        else { return }
        switch field.name.lowercased() {
        case Self.typeName: type = String(field.value)
        case Self.dispositionName:
            let parameters = FieldParameters(String(field.value)).parameters
            self.name = parameters["name"]
            fileName = parameters["filename"]
        default: break
        }
    }

    private static let typeName = "content-type"
    private static let dispositionName = "content-disposition"
}
