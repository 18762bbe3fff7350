extension Redaction {
    /// Edits in a body.
    ///
    /// - Parameters:
    ///   - body: The bytes, free of content codings.
    ///   - type: The media type with its parameters; `nil` when it is unknown, and the body is looked at.
    /// - Returns: The edits, in order.
    mutating func bodyEdits(in body: UnsafeRawBufferPointer, as type: String?) -> [TextEdit] {
        let type = type.flatMap { MediaType($0) }
        let essence = type?.essence ?? ""
        if essence == "multipart/form-data" {
            let boundary = type?.parameters["boundary"] ?? Self.boundary(of: body)
            if let boundary, !boundary.isEmpty { return multipartEdits(in: body, boundary: boundary) }
        }
        if essence == "application/x-www-form-urlencoded" || type == nil && Self.isForm(body) {
            return (formEdits(in: body, as: .form) + plainEdits(in: body)).inOrder
        }
        if essence == "application/json" || essence.hasSuffix("+json") {
            return (jsonEdits(in: body) + plainEdits(in: body)).inOrder
        }
        return textEdits(in: body)
    }

    private mutating func multipartEdits(in body: UnsafeRawBufferPointer, boundary: String) -> [TextEdit] {
        var edits: [TextEdit] = plainEdits(in: body)
        for part in FormPart.parts(of: body, boundary: boundary) where !part.value.isEmpty {
            let value = body[from: part.value.lowerBound, to: part.value.upperBound]
            if let name = part.name, isCandidate(name, in: .form),
                let replacement = replacement(for: NamedValue(name: name, bytes: [UInt8](value), place: .form))
            {
                edits.append(TextEdit(range: part.value, replacement: replacement))
            } else {
                let inner = deeper { $0.bodyEdits(in: value, as: part.type ?? "text/plain") }
                edits += inner.map { $0.moved(by: part.value.lowerBound) }
            }
        }
        return edits.inOrder
    }

    /// The boundary that a body begins with, as some tools record the type without it.
    private static func boundary(of body: UnsafeRawBufferPointer) -> String? {
        guard body.starts(with: "--".utf8) else { return nil }
        let line = body.dropFirst(2).prefix(201).prefix { $0 != 0x0D && $0 != 0x0A }
        return line.count <= 200 ? String(decoding: line, as: UTF8.self) : nil
    }

    /// Whether a body looks like a form: names and values, and nothing that a form escapes.
    private static func isForm(_ body: UnsafeRawBufferPointer) -> Bool {
        body.count < 1 << 20 && body.contains(UInt8(ascii: "="))
            && body.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>{}".utf8.contains($0) }
    }
}
