extension HARRedactor {
    /// The settings of a redactor, which determine the values that it treats as secrets.
    ///
    /// Name comparisons ignore case and word separators: `X-Api-Key` matches `x_api_key`.
    public struct Configuration: Sendable, Hashable {
        /// Whether values with well-known names are treated as secrets; `true` by default.
        ///
        /// Examples are `Authorization`, `X-Api-Key`, `access_token` and `password`, in header fields, query items,
        /// form fields and JSON. This setting also applies to passwords in URLs. A value with an ambiguous name, such
        /// as `code` or `key`, is a secret only if it looks random.
        public var redactsKnownNames = true

        /// Whether cookie values are treated as secrets; `true` by default.
        ///
        /// This setting applies to the `Cookie` and `Set-Cookie` header fields and to the `cookies` arrays. Cookie
        /// names and attributes are left unchanged.
        public var redactsCookies = true

        /// Whether secrets with a known format are detected in any text; `true` by default.
        ///
        /// Examples are bearer tokens, JSON Web Tokens, private keys, card numbers, and keys for AWS, GitHub, Slack,
        /// Stripe, Google and other services.
        public var detectsKnownSecrets = true

        /// Whether other occurrences of a secret in the same entry are replaced; `true` by default.
        ///
        /// This setting applies only to secrets of at least eight bytes. Cookie values must also look random.
        public var redactsRepetitions = true

        /// The names of additional header fields whose values are secrets.
        public var headers: Set<String> = []

        /// The names of additional query items whose values are secrets.
        public var queryItems: Set<String> = []

        /// The names of additional form fields whose values are secrets.
        public var formFields: Set<String> = []

        /// The names of additional JSON members whose values are secrets.
        ///
        /// If the value of a member is an array or an object, all strings and numbers in it are secrets.
        public var jsonKeys: Set<String> = []

        /// Regular expressions (https://unicode-org.github.io/icu/userguide/strings/regexp.html) that match secrets in
        /// any text.
        ///
        /// The secret is the first capture group of a match, or the whole match if the expression has no groups.
        ///
        /// Text longer than 1,048,576 UTF-16 code units is searched in chunks of that size, which overlap by 4,096 code
        /// units. If a search takes too much work, such as one for `(a+)+$`, every later string is replaced as a whole, and
        /// recording and `har redact` fail.
        public var patterns: [String] = []

        /// Names whose values are not considered secrets, even if the names are well known.
        ///
        /// This setting also applies to the names of header fields and cookies.
        public var allowedNames: Set<String> = []

        /// Values that are not secrets, such as test data.
        public var allowedValues: Set<String> = []

        /// The key from which placeholders are derived; the user's key by default.
        public var key = Key.user

        /// Creates the default settings, which detect all known kinds of secrets.
        public init() {}

        /// The default settings.
        public static let standard = Self()

        /// Settings that detect no secrets, as a starting point for enabling individual kinds.
        public static let none: Self = {
            var configuration = Self()
            configuration.redactsKnownNames = false
            configuration.redactsCookies = false
            configuration.detectsKnownSecrets = false
            configuration.redactsRepetitions = false
            return configuration
        }()
    }
}
