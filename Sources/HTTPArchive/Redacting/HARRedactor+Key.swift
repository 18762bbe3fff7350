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
