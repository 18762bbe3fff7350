import Foundation
import HTTPArchive

/// One of curl's `--data` options: a part of a request body.
struct DataOption: Sendable {
    /// The kind of option.
    enum Kind: Sendable {
        /// `--data`: text, or with `@` a file without its line breaks.
        case text

        /// `--data-raw`: text, even with `@`.
        case raw

        /// `--data-binary` and `--json`: text, or with `@` an unchanged file.
        case binary

        /// `--data-urlencode`: text that is percent-encoded, after an optional name that is not.
        case encoded
    }

    private let kind: Kind
    private let text: String

    /// The time of parsing, which gives the order of different options on the command line.
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

    /// Returns the content of the file named after `@`, or nil without `@`; `-` is standard input.
    private func file(in text: Substring) throws(HARError) -> Data? {
        guard text.first == "@" else { return nil }
        let path = String(text.dropFirst())
        do {
            return path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw HARError(
                .unreadableFile, "cannot read the data to send: \(error.fileErrorReason)",
                at: .init(file: path), underlying: error)
        }
    }
}
