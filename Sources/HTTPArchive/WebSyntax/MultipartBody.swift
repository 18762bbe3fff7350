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

    /// Parses a body; returns `nil` if it is not a multipart body.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: The media type of the request. If it names no boundary, the first line is used as the boundary.
    package init?(_ body: Data, type: MediaType?) {
        let firstLine = body.prefix { $0 != 0x0A && $0 != 0x0D }
        guard firstLine.count < 1_000 else { return nil }
        let delimiter =
            (type?.parameters["boundary"].map { Data("--\($0)".utf8) })
            ?? (firstLine.starts(with: "--".utf8) && firstLine.count > 2 ? Data(firstLine) : nil)
        guard let delimiter, delimiter.count > 2 else { return nil }
        var parts: [Part] = []
        var start: Data.Index?
        var position = body.startIndex
        while let found = body.range(of: delimiter, in: position..<body.endIndex) {
            position = found.upperBound
            guard found.lowerBound == body.startIndex || body[found.lowerBound - 1] == 0x0A else { continue }
            if let start { parts.append(Part(body[start..<max(start, found.lowerBound)])) }
            start = body[position...].firstIndex(of: 0x0A).map { $0 + 1 }
            if body[position...].starts(with: "--".utf8) { break }
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }
}

extension MultipartBody.Part {
    /// Parses the bytes between two boundaries.
    fileprivate init(_ bytes: Data) {
        // The line break before a boundary belongs to the boundary.
        var bytes = bytes
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        var headers: [String: String] = [:]
        while let end = bytes.firstIndex(of: 0x0A) {
            let line = String(decoding: bytes[..<end], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            bytes = bytes[(end + 1)...]
            guard !line.isEmpty else { break }
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        // The field has the same syntax as the parameters of a media type.
        let disposition = MediaType("part/" + (headers["content-disposition"] ?? ""))
        name = disposition?.parameters["name"] ?? ""
        fileName = disposition?.parameters["filename"]
        type = headers["content-type"].flatMap { MediaType($0)?.essence }
        content = Data(bytes)
    }
}

/// A part of a multipart form (RFC 7578, https://www.rfc-editor.org/rfc/rfc7578).
struct FormPart {
    /// The name of the form field; `nil` if the part has none.
    var name: String?

    /// The media type of the value; `nil` if the part names none.
    var type: String?

    /// The range of the value in the body, without the line break before the next boundary.
    var value: Range<Int>

    /// Returns the parts of a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - boundary: The boundary that the body's media type names.
    /// - Returns: The parts, in order.
    static func parts(of body: UnsafeRawBufferPointer, boundary: String) -> [FormPart] {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [FormPart] = []
        var start = 0
        while start < body.count {
            let from = min(start + delimiter.count, body.count)
            let next = body[from: from].firstOffset(of: delimiter).map { from + $0 } ?? body.count
            if let part = FormPart(in: body, start..<next) { parts.append(part) }
            start = next
        }
        return parts
    }

    /// Parses one part, which begins with its boundary; returns `nil` if it has no value.
    private init?(in body: UnsafeRawBufferPointer, _ range: Range<Int>) {
        let part = body[from: range.lowerBound, to: range.upperBound]
        for line in ["\r\n", "\n"] {
            guard let end = part.firstOffset(of: Array((line + line).utf8)) else { continue }
            let start = range.lowerBound + end + 2 * line.utf8.count
            var stop = range.upperBound
            if stop - start >= line.utf8.count, body[from: stop - line.utf8.count, to: stop].elementsEqual(line.utf8) {
                stop -= line.utf8.count
            }
            value = start..<stop
            // Only the first 8 KiB of the part's headers are parsed; real headers are shorter.
            let head = String(decoding: part[from: 0, to: min(end, 8192)], as: UTF8.self)
            for field in head.split(separator: line) {
                guard let colon = field.firstIndex(of: ":") else { continue }
                let text = field[field.index(after: colon)...].drop { $0 == " " }
                switch field[..<colon].lowercased() {
                case "content-disposition":
                    // The field has the same syntax as the parameters of a media type.
                    name = MediaType("multipart/" + text)?.parameters["name"]
                case "content-type": type = String(text)
                default: break
                }
            }
            return
        }
        return nil
    }
}
