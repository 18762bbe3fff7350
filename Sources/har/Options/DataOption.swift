import Foundation
import HTTPArchive

/// A piece of a request's body, as the options of curl give it.
struct DataPiece: Sendable {
    /// Which option gave it.
    enum Kind: Sendable {
        /// `--data`: a file without its line breaks where the text begins with `@`.
        case text

        /// `--data-raw`: the text, whatever it is.
        case raw

        /// `--data-binary` and `--json`: a file as it is where the text begins with `@`.
        case binary

        /// `--data-urlencode`: percent-encoded, with a name in front that is not.
        case encoded
    }

    /// What leaves letters, digits and `-._~` as they are.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private let kind: Kind
    private let text: String

    /// When it was parsed: pieces of several options go in the order in which they were typed.
    let instant: ContinuousClock.Instant

    /// Takes what was typed.
    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
        instant = .now
    }

    /// The bytes.
    ///
    /// - Returns: The bytes, read from a file where the text names one.
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

    /// One of `content`, `=content`, `name=content`, `@file` and `name@file`.
    private func encoded() throws(HARError) -> Data {
        guard let mark = text.firstIndex(where: { "=@".contains($0) }) else { return percentEncoded(Data(text.utf8)) }
        let name = text[..<mark]
        let content = try file(in: text[mark...]) ?? Data(text[text.index(after: mark)...].utf8)
        return Data((name.isEmpty ? "" : name + "=").utf8) + percentEncoded(content)
    }

    private func percentEncoded(_ data: Data) -> Data {
        let characters = data.map { byte -> String in
            let scalar = UnicodeScalar(byte)
            return byte < 0x80 && Self.unreserved.contains(scalar)
                ? String(Character(scalar)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return Data(characters.joined().utf8)
    }

    /// What stands in the file that is named behind `@`; `-` is standard input.
    private func file(in text: Substring) throws(HARError) -> Data? {
        guard text.first == "@" else { return nil }
        let path = String(text.dropFirst())
        do {
            return path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw HARError(
                .unreadableFile, "The file to send cannot be read. \(error.localizedDescription)",
                at: .init(file: path), underlying: error)
        }
    }
}
