/// A part of a form of several parts (RFC 7578, https://www.rfc-editor.org/rfc/rfc7578).
struct FormPart {
    /// The name of the field; `nil` when the part has none.
    var name: String?

    /// The media type of the value; `nil` when the part has none.
    var type: String?

    /// The place of the value, without the line break before the next boundary.
    var value: Range<Int>

    /// The parts of a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - boundary: The boundary that its media type names.
    /// - Returns: The parts, in order.
    static func parts(of body: UnsafeRawBufferPointer, boundary: String) -> [FormPart] {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [FormPart] = []
        var start = 0
        while start < body.count {
            let from = min(start + delimiter.count, body.count)
            let next = body[from: from].firstPlace(of: delimiter).map { from + $0 } ?? body.count
            if let part = FormPart(in: body, start..<next) { parts.append(part) }
            start = next
        }
        return parts
    }

    /// One part with the boundary before it; `nil` for what has no value.
    private init?(in body: UnsafeRawBufferPointer, _ range: Range<Int>) {
        let part = body[from: range.lowerBound, to: range.upperBound]
        for line in ["\r\n", "\n"] {
            guard let end = part.firstPlace(of: Array((line + line).utf8)) else { continue }
            let start = range.lowerBound + end + 2 * line.utf8.count
            var stop = range.upperBound
            if stop - start >= line.utf8.count, body[from: stop - line.utf8.count, to: stop].elementsEqual(line.utf8) {
                stop -= line.utf8.count
            }
            value = start..<stop
            // A head is short; what is long is none.
            let head = String(decoding: part[from: 0, to: min(end, 8192)], as: UTF8.self)
            for field in head.split(separator: line) {
                guard let colon = field.firstIndex(of: ":") else { continue }
                let text = field[field.index(after: colon)...].drop { $0 == " " }
                switch field[..<colon].lowercased() {
                case "content-disposition":
                    // Its parameters are written as those of a media type are.
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
