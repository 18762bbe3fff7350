extension HARRedactor {
    /// A secret found in an archive: its kind and its location, but never its value.
    public struct Finding: Sendable, Hashable {
        /// The reason why the text is considered a secret.
        public let kind: Kind

        /// The name of the value, such as the name of a header field, or nil if the secret was detected by its format.
        public let name: String?

        /// The location of the string that contains the secret, relative to the entry or the page.
        public let pointer: JSONPointer
    }

    /// The reason why a text is considered a secret.
    public typealias Kind = SecretKind
}
