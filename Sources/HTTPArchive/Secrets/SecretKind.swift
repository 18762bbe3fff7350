/// The reason a value is considered a secret.
///
/// Minor releases may add kinds.
public struct SecretKind: Sendable, Hashable, CustomStringConvertible {
    private let name: String

    /// The human-readable kind, such as `JSON member`.
    public var description: String { name }

    /// A header field, recognized by its name.
    public static let header = Self(name: "header field")
    /// A cookie.
    public static let cookie = Self(name: "cookie")
    /// A user's password in a URL.
    public static let password = Self(name: "password")
    /// An item of a query or fragment, recognized by its name.
    public static let queryItem = Self(name: "query item")
    /// A form field, recognized by its name.
    public static let formField = Self(name: "form field")
    /// A member of a JSON object, recognized by its name.
    public static let jsonMember = Self(name: "JSON member")
    /// A value in text, recognized by the preceding name, or in XML and HTML by the name of its element.
    public static let namedText = Self(name: "named value")
    /// A user name and password after the word `Basic` (RFC 7617).
    public static let basicCredentials = Self(name: "Basic credentials")
    /// A digest of a body with secrets, which could reveal the secrets.
    public static let digest = Self(name: "digest")
    /// A token after the word `Bearer`.
    public static let bearerToken = Self(name: "bearer token")
    /// A JSON Web Token (RFC 7519).
    public static let jsonWebToken = Self(name: "JSON Web Token")
    /// An AWS key.
    public static let awsKey = Self(name: "AWS key")
    /// A GitHub token.
    public static let gitHubToken = Self(name: "GitHub token")
    /// A Slack token or webhook.
    public static let slackToken = Self(name: "Slack token")
    /// A Stripe key.
    public static let stripeKey = Self(name: "Stripe key")
    /// A Google key or token.
    public static let googleKey = Self(name: "Google key")
    /// A token for another service.
    public static let serviceToken = Self(name: "service token")
    /// A private key in PEM format (RFC 7468).
    public static let privateKey = Self(name: "private key")
    /// A payment card number.
    public static let cardNumber = Self(name: "card number")
    /// A match for one of the user's regular expressions.
    public static let pattern = Self(name: "pattern")
    /// A secret that was recognized elsewhere in the entry.
    public static let repetition = Self(name: "repeated secret")
}
