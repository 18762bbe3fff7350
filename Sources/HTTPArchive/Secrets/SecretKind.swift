/// The reason a value is considered a secret.
///
/// Minor releases may add kinds.
public struct SecretKind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
        case header = "header field"
        case cookie, password
        case queryItem = "query item"
        case formField = "form field"
        case jsonMember = "JSON member"
        case namedText = "named value"
        case bearerToken = "bearer token"
        case basicCredentials = "Basic credentials"
        case digest
        case jsonWebToken = "JSON Web Token"
        case awsKey = "AWS key"
        case gitHubToken = "GitHub token"
        case slackToken = "Slack token"
        case stripeKey = "Stripe key"
        case googleKey = "Google key"
        case serviceToken = "service token"
        case privateKey = "private key"
        case cardNumber = "card number"
        case pattern
        case repetition = "repeated secret"
    }

    private let name: Name

    private init(_ name: Name) {
        self.name = name
    }

    /// The human-readable kind, such as `JSON member`.
    public var description: String { name.rawValue }

    /// A header field, recognized by its name.
    public static let header = Self(.header)
    /// A cookie.
    public static let cookie = Self(.cookie)
    /// A user's password in a URL.
    public static let password = Self(.password)
    /// An item of a query or fragment, recognized by its name.
    public static let queryItem = Self(.queryItem)
    /// A form field, recognized by its name.
    public static let formField = Self(.formField)
    /// A member of a JSON object, recognized by its name.
    public static let jsonMember = Self(.jsonMember)
    /// A value in text, recognized by the preceding name, or in XML and HTML by the name of its element.
    public static let namedText = Self(.namedText)
    /// A user name and password after the word `Basic` (RFC 7617).
    public static let basicCredentials = Self(.basicCredentials)
    /// A digest of a body with secrets, which could reveal the secrets.
    public static let digest = Self(.digest)
    /// A token after the word `Bearer`.
    public static let bearerToken = Self(.bearerToken)
    /// A JSON Web Token (RFC 7519).
    public static let jsonWebToken = Self(.jsonWebToken)
    /// An AWS key.
    public static let awsKey = Self(.awsKey)
    /// A GitHub token.
    public static let gitHubToken = Self(.gitHubToken)
    /// A Slack token or webhook.
    public static let slackToken = Self(.slackToken)
    /// A Stripe key.
    public static let stripeKey = Self(.stripeKey)
    /// A Google key or token.
    public static let googleKey = Self(.googleKey)
    /// A token for another service.
    public static let serviceToken = Self(.serviceToken)
    /// A private key in PEM format (RFC 7468).
    public static let privateKey = Self(.privateKey)
    /// A payment card number.
    public static let cardNumber = Self(.cardNumber)
    /// A match for one of the user's regular expressions.
    public static let pattern = Self(.pattern)
    /// A secret that was recognized elsewhere in the entry.
    public static let repetition = Self(.repetition)
}
