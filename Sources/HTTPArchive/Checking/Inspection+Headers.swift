/// The rules for header fields.
extension Inspection {
    /// Looks for the pseudo-headers of HTTP/2 and HTTP/3.
    mutating func checkPseudoHeaders(of message: JSONNode) {
        guard let headers = message["headers"] else { return }
        let found = headers.elements.filter { $0["name"]?.text?.hasPrefix(":") == true }
        guard let first = found.first else { return }
        let names = found.prefix(6).compactMap { $0["name"]?.text?.quoted }.joined(separator: ", ")
        report(.note, .pseudoHeader, at: first, "There are pseudo-headers among the headers: \(names).")
    }

    /// Looks for several values that are joined by line breaks.
    mutating func checkLineBreaks(inHeader header: JSONNode) {
        guard let value = header["value"], value.kind == .string, value.hasEscape,
            value.string.text.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
        else { return }
        let name = (header["name"]?.text ?? "").quoted
        report(
            .warning, .lineBreakInHeader, at: value,
            "The value of \(name) has line breaks, which HTTP does not allow; several values are several headers.")
    }
}
