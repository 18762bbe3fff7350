import Foundation
import HTTPArchive

/// One of curl's `--data` options: a part of a request body.
struct DataOption: Sendable {
    /// The kind of option.
    enum Kind: Sendable {
        /// `--data`: text, or the content of a file after `@`, without its line breaks.
        case text

        /// `--data-raw`: text, even if it begins with `@`.
        case raw

        /// `--data-binary` and `--json`: text, or the unchanged content of a file after `@`.
        case binary

        /// `--data-urlencode`: text to percent-encode, optionally preceded by a name that is sent unchanged.
        case encoded
    }

    private let kind: Kind
    private let text: String

    /// The time when the option was parsed, used to keep the command-line order across different options.
    let instant: ContinuousClock.Instant

    /// Creates an option from its argument.
    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
        instant = .now
    }

    /// Returns the bytes, read from a file if the argument names one.
    ///
    /// - Throws: `unreadableFile`.
    func bytes() throws(HARError) -> Data {
        switch kind {
        case .raw: Data(text.utf8)
        case .binary: try file(in: text[...]) ?? Data(text.utf8)
        case .text:
            try file(in: text[...]).map { $0.filter { ![0, 0x0A, 0x0D].contains($0) } } ?? Data(text.utf8)
        case .encoded: try encoded()
        }
    }

    /// Returns the bytes of `content`, `=content`, `name=content`, `@file` or `name@file`.
    private func encoded() throws(HARError) -> Data {
        guard let mark = text.firstIndex(where: { "=@".contains($0) }) else { return percentEncoded(Data(text.utf8)) }
        let name = text[..<mark]
        let content = try file(in: text[mark...]) ?? Data(text[text.index(after: mark)...].utf8)
        return Data((name.isEmpty ? "" : name + "=").utf8) + percentEncoded(content)
    }

    private func percentEncoded(_ data: Data) -> Data {
        data.withUnsafeBytes { Data(PercentEncoding.encoded($0, keeping: .unreserved)) }
    }

    /// Returns the content of the file named after `@`, or nil if there is no `@`; `-` is standard input.
    private func file(in text: Substring) throws(HARError) -> Data? {
        try text.first == "@" ? Self.content(ofFile: String(text.dropFirst())) : nil
    }

    /// Returns the content of a file; `-` is standard input.
    ///
    /// - Throws: `unreadableFile`.
    static func content(ofFile path: String) throws(HARError) -> Data {
        do {
            return path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw HARError(
                .unreadableFile, "cannot read the data to send: \(error.fileErrorReason); check the path",
                at: .init(file: path), underlying: error)
        }
    }
}

/// One of curl's `--form` options: a field of a multipart form.
struct FormOption: Sendable {
    private let name: String

    /// The text, `@` and the path of a file to attach, or `<` and the path of a file with the text.
    private let content: String
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
                let text = last.dropFirst("filename=".count)
                let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
                fileName = String(isQuoted ? text.dropFirst().dropLast() : text)
            } else {
                break
            }
            parts.removeLast()
        }
        content = parts.joined(separator: ";")
    }

    /// Returns the field, with the content of its file.
    ///
    /// - Throws: `unreadableFile`.
    func field() throws(HARError) -> MultipartBody.Part {
        var field = MultipartBody.Part(name: name, fileName: fileName, type: type, content: Data(content.utf8))
        guard let mark = content.first, "@<".contains(mark) else { return field }
        let path = String(content.dropFirst())
        field.content = try DataOption.content(ofFile: path)
        if mark == "@" {
            let url = URL(fileURLWithPath: path)
            field.fileName = fileName ?? url.lastPathComponent
            field.type = type ?? Self.types[url.pathExtension.lowercased()] ?? "application/octet-stream"
        }
        return field
    }

    /// The media types that curl derives from extensions (https://curl.se/docs/manpage.html#-F).
    private static let types = [
        "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
        "xml": "application/xml",
    ]
}
