import ArchiveInspection
import Foundation
import HTTPArchive

/// An exporter for GitHub Flavored Markdown (https://github.github.com/gfm/).
struct MarkdownExporter: ArchiveExporter {
    static let losses: [ExportLoss] = []

    func beginning(title: String) -> String { "# \(MarkdownText.plain(title))\n\n" }

    func text(of exported: ExportedEntry) -> String? {
        let request = exported.entry.request
        let response = exported.entry.response
        var text = "## \(exported.index): \(MarkdownText.plain(request.method)) \(MarkdownText.code(request.url))\n\n"
        let started = exported.entry.startedDateTime
        text +=
            exported.entry.startedDate == nil
            ? "Invalid time: \(MarkdownText.code(started))" : MarkdownText.plain(started)
        if let time = exported.entry.time { text += ", \((time / 1000).asTime)" }
        text += "\n\n### Request\n\n" + Self.table(request.headers)
        let requestBody = exported.requestBody
        if requestBody?.isEmpty != true {
            text += Self.body(requestBody, request.body.missingReason, type: request.postData?.mimeType)
        }
        let reason = response.statusText.isEmpty ? "" : " " + MarkdownText.plain(response.statusText)
        text += "### Response: \(response.status)\(reason)\n\n"
        if let failure = exported.entry.failureText { text += "Failed: \(MarkdownText.code(failure))\n\n" }
        text += Self.table(response.headers)
        let responseBody = exported.responseBody
        if responseBody?.isEmpty != true {
            text += Self.body(responseBody, response.body.missingReason, type: response.content.mimeType)
        }
        return text + Self.messages(of: exported.entry)
    }

    private static func messages(of entry: HAR.Entry) -> String {
        let messages = entry.webSocketMessages
        guard !messages.isEmpty else { return "" }
        return "### Messages: \(messages.count)\n\n" + messages.map { message(of: entry, $0) }.joined()
    }

    private static func message(of entry: HAR.Entry, _ message: RecordedWebSocketMessage) -> String {
        let direction: String? =
            switch message.direction {
            case .sent: "Sent"
            case .received: "Received"
            case .error, .invalid: nil
            }
        let facts = [direction, message.name, message.elapsed(in: entry)].compactMap { $0 }
        let text = facts.joined(separator: ", ") + "\n\n"
        guard !message.data.isEmpty else { return text }
        let type = message.data.first == "{" || message.data.first == "[" ? "json" : nil
        return text + body(message.bytes ?? Data(message.data.utf8), "", type: type)
    }

    private static func table(_ headers: [HAR.Header]) -> String {
        guard !headers.isEmpty else { return "" }
        let rows = headers.map { "| \(cell($0.name)) | \(cell($0.value)) |\n" }
        return "| field | value |\n| --- | --- |\n" + rows.joined() + "\n"
    }

    /// Returns text formatted for a table cell.
    ///
    /// Text with a backslash before a vertical bar cannot be a code span, because parsers unescape it differently.
    private static func cell(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.contains("\\|".unicodeScalars) { return MarkdownText.plain(text) }
        return scalars.contains("|") ? MarkdownText.escaped(MarkdownText.code(text), "|") : MarkdownText.code(text)
    }

    /// Returns a body as a fenced code block, or a sentence that explains why it is missing.
    ///
    /// The fence is longer than any run of backticks in the body.
    private static func body(_ body: Data?, _ missingReason: @autoclosure () -> String, type: String?) -> String {
        guard let body else { return "The body \(missingReason()).\n\n" }
        guard let text = String(validating: body, as: UTF8.self), !text.contains("\0") else {
            return "A binary body of \(body.count.asBytes).\n\n"
        }
        let language = [("json", "json"), ("html", "html"), ("xml", "xml"), ("javascript", "js"), ("css", "css")]
            .first { type?.lowercased().contains($0.0) ?? false }?.1
        let fence = String(repeating: "`", count: max(3, MarkdownText.longestRun(in: text) + 1))
        return "\(fence)\(language ?? "")\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n\n"
    }
}
