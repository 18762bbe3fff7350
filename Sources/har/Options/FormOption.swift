import Foundation
import HTTPArchive

/// One of curl's `--form` options: a field of a multipart form.
struct FormOption: Sendable {
    private enum Source: Sendable {
        case text(String)

        /// The content of a file, with or without the name of the file.
        case file(path: String, isNamed: Bool)
    }

    private let name: String
    private let source: Source
    private var fileName: String?
    private var type: String?

    /// Parses an argument, or returns nil if it has no name.
    ///
    /// The syntax is `NAME=TEXT`, `NAME=@FILE` to attach a file, or `NAME=<FILE` to read the text from a file. Each can
    /// be followed by `;type=TYPE` and `;filename=NAME`.
    init?(_ argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        name = String(argument[..<mark])
        var parts = argument[argument.index(after: mark)...].split(separator: ";", omittingEmptySubsequences: false)
        while let last = parts.last, parts.count > 1 {
            if last.hasPrefix("type=") {
                type = String(last.dropFirst("type=".count))
            } else if last.hasPrefix("filename=") {
                fileName = String(last.dropFirst("filename=".count)).trimmingQuotationMarks
            } else {
                break
            }
            parts.removeLast()
        }
        let content = parts.joined(separator: ";")
        switch content.first {
        case "@": source = .file(path: String(content.dropFirst()), isNamed: true)
        case "<": source = .file(path: String(content.dropFirst()), isNamed: false)
        default: source = .text(content)
        }
    }

    /// Returns the field, with the content of its file.
    ///
    /// - Throws: `unreadableFile`.
    func field() throws(HARError) -> MultipartBody.Field {
        switch source {
        case .text(let text):
            return MultipartBody.Field(name: name, fileName: fileName, type: type, content: Data(text.utf8))
        case .file(let path, let isNamed):
            let url = URL(fileURLWithPath: path)
            let content = try DataOption.content(ofFile: path)
            guard isNamed else {
                return MultipartBody.Field(name: name, fileName: fileName, type: type, content: content)
            }
            return MultipartBody.Field(
                name: name, fileName: fileName ?? url.lastPathComponent,
                type: type ?? Self.types[url.pathExtension.lowercased()] ?? "application/octet-stream", content: content
            )
        }
    }

    /// The media types that curl derives from extensions (https://curl.se/docs/manpage.html#-F).
    private static let types = [
        "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
        "xml": "application/xml",
    ]
}

extension String {
    fileprivate var trimmingQuotationMarks: String {
        count > 1 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}
