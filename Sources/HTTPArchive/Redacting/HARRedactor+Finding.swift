extension HARRedactor {
    /// The kind and location of a secret in an archive, without its value.
    public struct Finding: Sendable, Hashable {
        /// The reason the text is considered a secret.
        public let kind: Kind

        /// The name of the value, such as the name of a header field, or nil if the secret was detected by its format.
        public let name: String?

        /// The location of the string that contains the secret, relative to the entry or page.
        public let pointer: JSONPointer

        package init(kind: Kind, name: String?, pointer: JSONPointer) {
            self.kind = kind
            self.name = name
            self.pointer = pointer
        }
    }

    /// The reason a value is considered a secret.
    public typealias Kind = SecretKind
}
