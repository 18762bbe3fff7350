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
