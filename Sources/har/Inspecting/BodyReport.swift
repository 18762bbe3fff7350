import ArchiveInspection
import Foundation
import HTTPArchive

/// A body formatted for reading, according to its media type.
struct BodyReport {
    /// The bytes, after content codings are removed.
    let body: Data

    /// The text, or nil to decode the bytes.
    var text: String?

    /// The media type, or nil if it is unknown.
    let type: MediaType?

    /// The number of multipart bodies that contain this body.
    var depth = 0

    /// Whether empty files of a form are files whose content was not recorded.
    var lacksFiles = false

    /// The maximum number of bytes to show in hexadecimal.
    private static let hexLimit = 256

    /// The maximum depth of nested multipart bodies.
    private static let depthLimit = 8

    /// The lines of the report.
    var lines: [String] {
        if RecordedBody.isBinary(type) { return hex }
        let essence = type?.essence ?? ""
        if essence.hasPrefix("multipart/"), depth < Self.depthLimit, let parts = MultipartBody(body, type: type)?.parts
        {
            return multipart(parts)
        }
        guard var text = text ?? RecordedBody.text(of: body, type: type), !text.utf8.contains(0) else { return hex }
        text = text.withoutByteOrderMark
        if essence == "application/x-www-form-urlencoded" { return form(text) }
        if essence == "text/event-stream" { return events(text) }
        if essence == "application/graphql" { return Self.split(text) }
        if let lines = json(text) { return lines }
        if essence.hasSuffix("/xml") || essence.hasSuffix("+xml") { return Self.xml(text) }
        return Self.split(text)
    }

    /// Returns the lines of a text, without an empty last line.
    static func split(_ text: String) -> [String] {
        var lines = text.allLines.map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    // MARK: JSON and GraphQL

    private func json(_ text: String) -> [String]? {
        guard let value = RecordedBody.json(in: text) else { return nil }
        let operations = RecordedBody.operations(in: value)
        if operations.isEmpty { return Self.pretty(value) }
        return Array(operations.map(Self.graphQL).joined(separator: [""]))
    }

    private static func pretty(_ value: JSONValue) -> [String] {
        split(String(decoding: value.data(layout: .pretty), as: UTF8.self))
    }

    /// Returns the document and the other members of a GraphQL request on separate lines.
    private static func graphQL(_ object: JSONObject) -> [String] {
        var lines: [String] = []
        if let name = object["operationName"]?.text { lines.append("operation: \(name)") }
        lines.append("query:")
        lines += split(object["query"]?.text ?? "").map { "  " + $0 }
        for member in object.members where !["operationName", "query"].contains(member.name.text) {
            if member.value.object?.members.isEmpty ?? (member.value == .null) { continue }
            lines.append("\(member.name.text):")
            lines += pretty(member.value).map { "  " + $0 }
        }
        return lines
    }

    // MARK: Forms and events

    private func form(_ text: String) -> [String] {
        let items = FormEncoding.items(of: text[...], invalidText: .repaired)
        let width = min(32, items.map(\.name.columnCount).max() ?? 0)
        return items.map { "\($0.name.padded(to: width))  \($0.value)" }
    }

    private func multipart(_ parts: [MultipartBody.Part]) -> [String] {
        parts.flatMap { part in
            let isMissing = lacksFiles && part.fileName != nil && part.content.isEmpty
            let size = isMissing ? "content not captured" : part.content.count.asBytes
            let facts = [part.fileName.map { "file \($0)" }, part.type, size].compactMap { $0 }
            let type = part.type.flatMap(MediaType.init)
            let content = BodyReport(body: part.content, type: type, depth: depth + 1).lines
            return ["\(part.name)  (\(facts.joined(separator: ", ")))"] + content.map { "  " + $0 }
        }
    }

    /// Returns the events of an event stream (https://html.spec.whatwg.org/#event-stream-interpretation).
    private func events(_ text: String) -> [String] {
        var lines: [String] = []
        var number = 0
        var isInEvent = false
        for line in text.allLines {
            guard !line.isEmpty else {
                isInEvent = false
                continue
            }
            if !isInEvent {
                number += 1
                lines.append("event \(number)")
            }
            isInEvent = true
            lines.append("  \(line)")
        }
        return lines
    }

    // MARK: Binary bodies

    private var hex: [String] {
        var lines = stride(from: 0, to: min(body.count, Self.hexLimit), by: 16).map { start in
            let bytes = Array(body.dropFirst(start).prefix(16))
            let digits = bytes.map { Hexadecimal.text(CollectionOfOne($0)) }.joined(separator: " ")
            let text = bytes.map { 0x20..<0x7F ~= $0 ? String(UnicodeScalar($0)) : "." }.joined()
            return "\(String(format: "%06x", start))  \(digits.padded(to: 47))  \(text)"
        }
        if body.count > Self.hexLimit {
            lines.append("… \((body.count - Self.hexLimit).asBytes) more; write the body to a file with har body")
        }
        return lines
    }

    // MARK: XML

    /// The maximum indentation of XML, in levels.
    private static let indentationLimit = 20

    /// Returns indented XML with one element per line.
    ///
    /// Elements that contain only text stay on one line. The content of comments and CDATA sections is unchanged. The
    /// XML is not validated.
    private static func xml(_ text: String) -> [String] {
        var lines: [String] = []
        var depth = 0
        var rest = text[...]
        /// Whether the next text or closing tag may follow the last tag on the same line.
        var isOpen = false
        func add(_ text: Substring, _ depth: Int) {
            lines += split(String(text)).map {
                String(repeating: "  ", count: min(max(depth, 0), indentationLimit))
                    + $0.trimmingCharacters(in: .whitespaces)
            }
        }
        while !rest.isEmpty {
            let end: Substring.Index
            if rest.hasPrefix("<!--") {
                end = rest.range(of: "-->")?.upperBound ?? rest.endIndex
            } else if rest.hasPrefix("<![CDATA[") {
                end = rest.range(of: "]]>")?.upperBound ?? rest.endIndex
            } else if rest.hasPrefix("<") {
                end = rest.firstIndex(of: ">").map { rest.index(after: $0) } ?? rest.endIndex
            } else {
                end = rest.firstIndex(of: "<") ?? rest.endIndex
            }
            let token = rest[..<end]
            rest = rest[end...]
            if token.hasPrefix("</") {
                depth -= 1
                if isOpen, !lines.isEmpty { lines[lines.count - 1] += token } else { add(token, depth) }
                isOpen = false
            } else if token.hasPrefix("<"), !token.hasPrefix("<!"), !token.hasPrefix("<?") {
                add(token, depth)
                isOpen = !token.hasSuffix("/>")
                if isOpen { depth += 1 }
            } else if !token.allSatisfy(\.isWhitespace) {
                let isInline = isOpen && !token.contains(where: \.endsLine)
                if isInline, !lines.isEmpty { lines[lines.count - 1] += token } else { add(token, depth) }
                isOpen = isInline
            }
        }
        return lines
    }
}
