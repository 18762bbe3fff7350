extension HARRedactor {
    /// A secret that stands in an archive: what kind, and where, but never its value.
    public struct Finding: Sendable, Hashable {
        /// What it was recognised by.
        public let kind: Kind

        /// The name that it has, such as that of a header field; `nil` for one that was recognised by its form.
        public let name: String?

        /// The place of the string that it is in, from the entry or the page on.
        public let pointer: JSONPointer
    }

    /// The reason why a text is a secret.
    public typealias Kind = SecretKind
}
