package import Foundation

/// A body of several parts (RFC 2046, section 5.1, https://www.rfc-editor.org/rfc/rfc2046#section-5.1), whatever
/// boundary stands between them.
package struct MultipartBody: Hashable, Sendable {
    /// One part.
    package struct Part: Hashable, Sendable {
        /// The name of the form's field; empty when the part has none.
        package let name: String

        /// The name of the file; `nil` when the part is none.
        package let fileName: String?

        /// The media type in lower case, without parameters; `nil` when the part names none.
        package let type: String?

        /// The bytes.
        package let content: Data
    }

    /// The parts in their order.
    package let parts: [Part]

    /// Reads a body; `nil` when it is none of several parts.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: What the request says of them. Without a boundary in it, the first line is taken for one.
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
    /// Reads what stands between two boundaries.
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
        // The field has the syntax of a media type's parameters.
        let disposition = MediaType("part/" + (headers["content-disposition"] ?? ""))
        name = disposition?.parameters["name"] ?? ""
        fileName = disposition?.parameters["filename"]
        type = headers["content-type"].flatMap { MediaType($0)?.essence }
        content = Data(bytes)
    }
}
