package import Foundation
import Synchronization

extension HARRedactor {
    /// The key from which placeholders for secrets are derived.
    ///
    /// With the same key, a secret has the same placeholder in every archive. Without the key, a secret cannot be
    /// recovered by testing candidates. A plain hash of a card number or a short password would not prevent that. A key
    /// is never written to an archive, and its description does not contain its bytes.
    public struct Key: Sendable, Hashable {
        private enum Source: Hashable {
            case user
            case bytes([UInt8])
        }

        private let source: Source

        /// The user's key.
        ///
        /// If the environment variable `RELAY_REDACTION_KEY` is set, the key is derived from its value. Use this
        /// variable to share a key within a team or with CI.
        ///
        /// Otherwise, the key is read from a private file outside of any project, which is created on first use. The
        /// file is `relay/redaction.key` in `$XDG_DATA_HOME` or `~/.local/share` on Linux, and in Application Support
        /// on Apple platforms. If the file cannot be created, a random key is used until the process exits.
        public static let user = Self(source: .user)

        /// Creates a key from a phrase.
        ///
        /// The key is derived with PBKDF2 (RFC 8018), which slows down attempts to guess the phrase.
        ///
        /// - Parameter phrase: A phrase that is hard to guess.
        public init(phrase: String) {
            source = .bytes(Self.bytes(ofPhrase: phrase))
        }

        /// Creates a new random key, for example for a single archive.
        ///
        /// - Returns: A key of 32 random bytes.
        public static func random() -> Self { Self(source: .bytes(randomBytes())) }

        private init(source: Source) {
            self.source = source
        }

        /// Returns the key, prepared for computing authentication codes.
        ///
        /// - Throws: `invalidSetting` if the environment variable is set but too short.
        func resolved() throws(HARError) -> AuthenticationKey {
            switch source {
            case .user: AuthenticationKey(try UserKey.bytes())
            case .bytes(let bytes): AuthenticationKey(bytes)
            }
        }

        /// Returns the bytes of the key derived from a phrase.
        ///
        /// Results are cached, because deriving a key takes about 50 milliseconds.
        static func bytes(ofPhrase phrase: String) -> [UInt8] {
            if let bytes = derived.withLock({ $0[phrase] }) { return bytes }
            let bytes = AuthenticationKey.derivedBytes(fromPhrase: Array(phrase.utf8))
            derived.withLock { derived in
                if derived.count >= 16 { derived.removeAll() }
                derived[phrase] = bytes
            }
            return bytes
        }

        private static let derived = Mutex<[String: [UInt8]]>([:])

        /// Returns the bytes of a new random key from the system's cryptographically secure generator.
        static func randomBytes() -> [UInt8] { (0..<32).map { _ in .random(in: 0 ... .max) } }
    }
}

extension HARRedactor.Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source of the key, without its bytes.
    public var description: String { source == .user ? "the user's key" : "a key" }

    /// The source of the key, without its bytes.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumps do not contain the bytes.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HARRedactor {
    /// Returns recorded text with each placeholder, including those in Base64, replaced by the bare word `REDACTED`.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text, unchanged if it contains no placeholder.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package static func withoutKeys(_ text: String) -> String {
        guard isRedacted(text) else { return text }
        return text.withUTF8Bytes { bytes in
            let edits = keyEdits(in: bytes, depth: 0)
            return edits.isEmpty ? text : String(decoding: edits.applied(to: bytes), as: UTF8.self)
        }
    }

    /// Returns a recorded body with each placeholder replaced by the bare word `REDACTED`.
    ///
    /// Placeholders in Base64 and in compressed data are also replaced.
    ///
    /// - Parameter body: The bytes.
    /// - Returns: The bytes, unchanged if they contain no placeholder.
    /// - Complexity: O(*n*), where *n* is the size of the body.
    package static func withoutKeys(_ body: Data) -> Data {
        let wideEdits = body.withUnsafeBytes { bytes in
            DecodedText(wide: bytes, charset: nil).map { text in
                text.escaped(text.bytes.withUnsafeBytes { keyEdits(in: $0, depth: 0) })
            }
        }
        if let wideEdits {
            return wideEdits.isEmpty ? body : Data(body.withUnsafeBytes { wideEdits.applied(to: $0) })
        }
        if let text = String(validating: body, as: UTF8.self) {
            let bare = withoutKeys(text)
            return bare == text ? body : Data(bare.utf8)
        }
        guard let compressed = CompressedBytes([UInt8](body), mayBeRaw: true) else { return body }
        let bare = withoutKeys(Data(compressed.content))
        guard bare.count != compressed.content.count else { return body }
        return compressed.replacing(content: [UInt8](bare)).map { Data($0) } ?? body
    }

    /// Whether a body contains a placeholder or the bare word, including in Base64 and compressed data.
    ///
    /// - Parameter body: The bytes.
    /// - Returns: Whether the body contains one.
    package static func isRedacted(_ body: Data) -> Bool {
        if let text = body.withUnsafeBytes({ DecodedText(wide: $0, charset: nil) }) {
            return isRedacted(String(decoding: text.bytes, as: UTF8.self))
        }
        if isRedacted(String(decoding: body, as: UTF8.self)) { return true }
        let isBinary = body.withUnsafeBytes { $0.isBinary }
        guard isBinary, let compressed = CompressedBytes([UInt8](body), mayBeRaw: true) else { return false }
        return isRedacted(String(decoding: compressed.content, as: UTF8.self))
    }

    /// Whether text contains a placeholder or the bare word, including in Base64.
    ///
    /// - Parameter text: The text, such as a recorded URL.
    /// - Returns: Whether the text contains one. False positives are possible in Base64.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package static func isRedacted(_ text: String) -> Bool {
        text.withUTF8Bytes { bytes in
            // Even in Base64, the word contains an `R`, but most text does not.
            guard bytes.firstOffset(of: commonLetter) != nil else { return false }
            return bytes.firstOffset(of: Placeholder.word) != nil || hasEncodedWord(bytes)
        }
    }

    /// Returns the placeholders in recorded text, except in Base64.
    ///
    /// - Parameter text: The text.
    /// - Returns: The placeholders in order, without bare words. Equal secrets have equal placeholders.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package static func placeholders(in text: String) -> [String] {
        text.withUTF8Bytes { bytes in
            Placeholder.keyedRanges(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    private static func keyEdits(in text: UnsafeRawBufferPointer, depth: Int) -> [TextEdit] {
        var edits = Placeholder.keyedRanges(in: text).map { TextEdit(range: $0, replacement: Placeholder.word) }
        guard depth < Redaction.deepest, hasEncodedWord(text) else { return edits }
        for run in Base64Candidate.runs(in: text) {
            guard let bytes = run.decoded(in: text) else { continue }
            let inner = bytes.withUnsafeBytes { keyEdits(in: $0, depth: depth + 1) }
            if inner.isEmpty { continue }
            let plain = bytes.withUnsafeBytes { inner.applied(to: $0) }
            edits.append(TextEdit(range: run.range, replacement: run.encoded(plain)))
        }
        return edits.inOrder
    }

    private static func hasEncodedWord(_ text: UnsafeRawBufferPointer) -> Bool {
        encodedWords.contains { text.firstOffset(of: $0) != nil }
    }

    private static let commonLetter = Array("R".utf8)

    /// The Base64 encodings of the word at the three possible alignments, without characters that depend on adjacent
    /// text.
    private static let encodedWords: [[UInt8]] = ["UkVEQUNURU", "JFREFDVEVE", "SRURBQ1RFR"].map { Array($0.utf8) }
}
