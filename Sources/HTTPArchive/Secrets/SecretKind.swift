/// What a secret is recognised by.
///
/// Minor releases may add kinds.
public struct SecretKind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
        case header = "header field"
        case cookie, password
        case queryItem = "query item"
        case formField = "form field"
        case jsonMember = "JSON member"
        case bearerToken = "bearer token"
        case jsonWebToken = "JSON Web Token"
        case awsKey = "AWS key"
        case gitHubToken = "GitHub token"
        case slackToken = "Slack token"
        case stripeKey = "Stripe key"
        case googleKey = "Google key"
        case serviceToken = "token of a service"
        case privateKey = "private key"
        case cardNumber = "card number"
        case pattern
        case repetition = "secret that stands elsewhere too"
    }

    private let name: Name

    private init(_ name: Name) {
        self.name = name
    }

    /// The kind for people, such as `JSON member`.
    public var description: String { name.rawValue }

    /// A header field by its name.
    public static let header = Self(.header)
    /// A cookie.
    public static let cookie = Self(.cookie)
    /// A user's password in a URL.
    public static let password = Self(.password)
    /// An item of a query or a fragment by its name.
    public static let queryItem = Self(.queryItem)
    /// A field of a form by its name.
    public static let formField = Self(.formField)
    /// A member of a JSON object by its name.
    public static let jsonMember = Self(.jsonMember)
    /// A token after the word `Bearer`.
    public static let bearerToken = Self(.bearerToken)
    /// A JSON Web Token (RFC 7519).
    public static let jsonWebToken = Self(.jsonWebToken)
    /// A key of AWS.
    public static let awsKey = Self(.awsKey)
    /// A token of GitHub.
    public static let gitHubToken = Self(.gitHubToken)
    /// A token or a webhook of Slack.
    public static let slackToken = Self(.slackToken)
    /// A key of Stripe.
    public static let stripeKey = Self(.stripeKey)
    /// A key or a token of Google.
    public static let googleKey = Self(.googleKey)
    /// A token of another service.
    public static let serviceToken = Self(.serviceToken)
    /// A private key in PEM (RFC 7468).
    public static let privateKey = Self(.privateKey)
    /// The number of a payment card.
    public static let cardNumber = Self(.cardNumber)
    /// A match of one of the user's regular expressions.
    public static let pattern = Self(.pattern)
    /// A secret that was recognised elsewhere in the entry.
    public static let repetition = Self(.repetition)
}
