/// A media type with its parameters (RFC 9110, section 8.3.1, https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The type and subtype in lowercase, such as `text/html`.
    public let essence: String

    /// The values of the parameters, by lowercase name.
    public let parameters: [String: String]

    /// Parses the value of a header field, such as `Content-Type`.
    ///
    /// Returns `nil` if no slash separates a type and a subtype, as in `x-unknown`. Parameters without an equals sign
    /// are ignored.
    ///
    /// - Parameter text: The value, such as `text/html; charset=utf-8`.
    public init?(_ text: String) {
        let field = FieldParameters(text)
        let essence = field.value.lowercased()
        guard essence.utf8.contains(UInt8(ascii: "/")) else { return nil }
        self.essence = essence
        parameters = field.parameters
    }

    /// The `charset` parameter, or `nil` if it is missing or empty.
    public var charset: String? { parameters["charset"].flatMap { $0.isEmpty ? nil : $0 } }
}
