import Crypto
import Foundation

extension HARRedactor {
    /// The key that makes placeholders of secrets.
    ///
    /// The same key makes the same placeholder of the same secret, in every archive. Without the key nobody finds the
    /// secret by trying what it may be, as with a plain hash of a card number or a short password. A key is never
    /// written to an archive, and describes itself without its bytes.
    public struct Key: Sendable, Hashable {
        private enum Source: Hashable {
            case user
            case bytes([UInt8])
        }

        private let source: Source

        /// The key of the user.
        ///
        /// It is made of the environment variable `RELAY_REDACTION_KEY`, for teams and CI, where that is set. Else it is
        /// kept in a file for the user alone, outside of any project, which is created when it is needed first:
        /// `relay/redaction.key` in `$XDG_DATA_HOME` or `~/.local/share` on Linux, in Application Support on Apple's
        /// systems. Where no file can be written, it is a key for the process alone.
        public static let user = Self(source: .user)

        /// Creates a key from a phrase.
        ///
        /// - Parameter phrase: A text that is hard to guess.
        public init(phrase: String) {
            source = .bytes(Self.bytes(ofPhrase: phrase))
        }

        /// Creates a key that nobody else has, such as for a single archive.
        ///
        /// - Returns: A key of 32 random bytes.
        public static func random() -> Self { Self(source: .bytes(randomBytes())) }

        private init(source: Source) {
            self.source = source
        }

        /// The key as the algorithm takes it.
        ///
        /// - Throws: `invalidSetting` when the environment variable is set and too short.
        func resolved() throws(HARError) -> SymmetricKey {
            switch source {
            case .user: SymmetricKey(data: try UserKey.bytes())
            case .bytes(let bytes): SymmetricKey(data: bytes)
            }
        }

        /// The bytes of a key that is given as a phrase.
        static func bytes(ofPhrase phrase: String) -> [UInt8] { Array(SHA256.hash(data: Array(phrase.utf8))) }

        /// The bytes of a key that nobody else has.
        static func randomBytes() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }
    }
}

extension HARRedactor.Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What kind of key it is, without its bytes.
    public var description: String { source == .user ? "the user's key" : "a key" }

    /// What kind of key it is, without its bytes.
    public var debugDescription: String { description }

    /// Nothing, so that no dump has the bytes.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HARRedactor {
    /// A recorded text with the bare word `REDACTED` in place of each placeholder, in base64 too.
    ///
    /// - Parameter text: The text.
    /// - Returns: The same text where there is no placeholder.
    /// - Complexity: O(*n*) in the length of the text.
    package static func withoutKeys(_ text: String) -> String {
        guard isRedacted(text) else { return text }
        var copy = text
        let changed: [UInt8]? = copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let edits = keyEdits(in: bytes, depth: 0)
            return edits.isEmpty ? nil : edits.applied(to: bytes)
        }
        return changed.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Whether a text has a placeholder or the bare word, in base64 too.
    ///
    /// - Parameter text: The text, such as a recorded URL.
    /// - Returns: Whether there is one; of base64, perhaps more texts than those that have one.
    /// - Complexity: O(*n*) in the length of the text.
    package static func isRedacted(_ text: String) -> Bool {
        var copy = text
        return copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            // The word has this letter in base64 too, and most texts have not.
            guard bytes.firstOffset(of: commonLetter) != nil else { return false }
            return bytes.firstOffset(of: Placeholder.word) != nil || hasEncodedWord(bytes)
        }
    }

    /// The placeholders of a recorded text, but for those in base64.
    ///
    /// - Parameter text: The text.
    /// - Returns: The placeholders with a key, in order; equal secrets have equal ones.
    /// - Complexity: O(*n*) in the length of the text.
    package static func placeholders(in text: String) -> [String] {
        var copy = text
        return copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return Placeholder.ranges(in: bytes).filter { $0.count > Placeholder.word.count }
                .map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    private static func keyEdits(in text: UnsafeRawBufferPointer, depth: Int) -> [TextEdit] {
        var edits = Placeholder.ranges(in: text).filter { $0.count > Placeholder.word.count }
            .map { TextEdit(range: $0, replacement: Placeholder.word) }
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

    /// What base64 makes of the word, at each of three places among its groups, but for the characters that depend on what
    /// stands beside it.
    private static let encodedWords: [[UInt8]] = ["UkVEQUNURU", "JFREFDVEVE", "SRURBQ1RFR"].map { Array($0.utf8) }
}
