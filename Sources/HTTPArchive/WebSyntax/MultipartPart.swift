/// A part of a multipart body, as ranges (RFC 2046, section 5.1, https://www.rfc-editor.org/rfc/rfc2046#section-5.1;
/// RFC 7578, https://www.rfc-editor.org/rfc/rfc7578).
package struct MultipartPart: Sendable {
    /// The parts that a parser finds.
    package enum Tolerance: Sendable {
        /// Complete parts only: a delimiter begins a line, and the end of the last part is its delimiter.
        case complete

        /// Everything that may be a part, for redaction, where no secret may hide in a malformed body: text before the
        /// first delimiter, after the last one, and after a delimiter within a line.
        case all
    }

    /// The name of the form field; `nil` if the part has none.
    package private(set) var name: String?

    /// The name of the file; `nil` if the part is not a file.
    package private(set) var fileName: String?

    /// The media type as written; `nil` if the part names none.
    package private(set) var type: String?

    /// The range of the content in the body, without the line break before the next delimiter.
    package private(set) var content: Range<Int>

    /// Returns the boundary of a body: the parameter of the media type, or else the first line of the body, because
    /// some tools record the media type without its parameters.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The media type.
    /// - Returns: The boundary without its hyphens; `nil` if both are missing.
    package static func boundary(of body: UnsafeRawBufferPointer, type: MediaType?) -> [UInt8]? {
        if let boundary = type?.parameters["boundary"], !boundary.isEmpty { return Array(boundary.utf8) }
        guard body.starts(with: "--".utf8) else { return nil }
        let line = body.dropFirst(2).prefix(longestBoundary + 1).prefix { $0 != 0x0D && $0 != 0x0A }
        return line.isEmpty || line.count > longestBoundary ? nil : Array(line)
    }

    /// The maximum length of a boundary that no media type names; RFC 2046 allows 70 bytes.
    private static let longestBoundary = 200

    /// Returns the parts of a body, in order.
    ///
    /// - Parameters:
    ///   - body: The body. Lines end in CRLF or LF.
    ///   - boundary: The boundary without its hyphens.
    ///   - tolerance: The parts to return.
    /// - Returns: The parts.
    /// - Complexity: O(*n*) in the size of the body.
    package static func parts(
        of body: UnsafeRawBufferPointer, boundary: [UInt8], tolerance: Tolerance
    ) -> [MultipartPart] {
        let delimiter = Array("--".utf8) + boundary
        var parts: [MultipartPart] = []
        var start = tolerance == .all ? 0 : nil
        var position = 0
        while let found = body[from: position].firstOffset(of: delimiter) {
            let offset = position + found
            position = offset + delimiter.count
            guard tolerance == .all || offset == 0 || body[offset - 1] == 0x0A else { continue }
            if let start, start < offset || tolerance == .complete {
                parts.append(MultipartPart(in: body, start..<max(start, offset)))
            }
            start = body[from: position].firstOffset(of: 0x0A).map { position + $0 + 1 }
            if tolerance == .complete, body[from: position].starts(with: "--".utf8) { return parts }
        }
        if tolerance == .all, let start, start < body.count {
            parts.append(MultipartPart(in: body, start..<body.count))
        }
        return parts
    }

    /// Parses the bytes after the line of a delimiter.
    ///
    /// Without an empty line after the header fields, the last line is the content.
    private init(in body: UnsafeRawBufferPointer, _ range: Range<Int>) {
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
        // Long lines of content, if the body is malformed, are not decoded.
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
