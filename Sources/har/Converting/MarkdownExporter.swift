import Foundation
import HTTPArchive

/// A document in GitHub Flavored Markdown (https://github.github.com/gfm/).
struct MarkdownExporter: ArchiveExporter {
    static let name = "markdown"

    private let title: String

    init(title: String) {
        self.title = title
    }

    var beginning: String { "# \(Self.plain(title))\n\n" }

    func text(of exported: ExportedEntry) -> String? {
        let request = exported.entry.request
        let response = exported.entry.response
        var text = "## \(exported.index): \(Self.plain(request.method)) \(Self.code(request.url))\n\n"
        text += Self.plain(exported.entry.startedDateTime)
        if let time = exported.entry.time { text += ", \((time / 1000).asTime)" }
        text += "\n\n### Request\n\n" + Self.table(request.headers)
        if exported.requestBody?.isEmpty != true {
            text += Self.body(exported.requestBody, type: request.postData?.mimeType)
        }
        let reason = response.statusText.isEmpty ? "" : " " + Self.plain(response.statusText)
        let error = response["_error"]?.text.map { " " + Self.code($0) } ?? ""
        text += "### Response: \(response.status)\(reason)\(error)\n\n" + Self.table(response.headers)
        if exported.responseBody?.isEmpty != true {
            text += Self.body(exported.responseBody, type: response.content.mimeType)
        }
        return text
    }

    private static func table(_ headers: [HAR.Header]) -> String {
        guard !headers.isEmpty else { return "" }
        let rows = headers.map { "| \(cell($0.name)) | \(cell($0.value)) |\n" }
        return "| field | value |\n| --- | --- |\n" + rows.joined() + "\n"
    }

    private static func cell(_ text: String) -> String {
        code(text).replacing("|", with: "\\|")
    }

    /// Returns a body between fences that do not occur in it.
    private static func body(_ body: Data?, type: String?) -> String {
        guard let body else { return "The body was not captured.\n\n" }
        guard let text = String(validating: body, as: UTF8.self), !text.contains("\0") else {
            return "A binary body of \(body.count.asBytes).\n\n"
        }
        let language = ["json": "json", "html": "html", "xml": "xml", "javascript": "js", "css": "css"]
            .first { type?.lowercased().contains($0.key) ?? false }?.value
        let fence = String(repeating: "`", count: max(3, longestRun(in: text) + 1))
        return "\(fence)\(language ?? "")\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n\n"
    }

    /// Returns text as a code span on one line.
    private static func code(_ text: String) -> String {
        let line = text.printable
        guard !line.isEmpty else { return "" }
        let ticks = String(repeating: "`", count: longestRun(in: line) + 1)
        let space = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return ticks + space + line + space + ticks
    }

    private static func plain(_ text: String) -> String {
        text.printable.reduce(into: "") { result, character in
            if "\\`*_{}[]<>#|!~&".contains(character) { result += "\\" }
            result.append(character)
        }
    }

    private static func longestRun(in text: String) -> Int {
        var longest = 0
        var run = 0
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
