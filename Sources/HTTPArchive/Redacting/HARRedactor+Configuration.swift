extension HARRedactor {
    /// The settings of a redactor, which determine the values that are secrets.
    ///
    /// Comparisons of names ignore case and word separators: `X-Api-Key` equals `x_api_key`.
    public struct Configuration: Sendable, Hashable {
        /// Whether values with well-known names are secrets, `true` by default.
        ///
        /// Examples are `Authorization`, `X-Api-Key`, `access_token` and `password`, in header fields, query items,
        /// form fields and JSON. This setting also applies to passwords in URLs. A value with an ambiguous name, such
        /// as `code` or `key`, is a secret only if it looks random.
        public var redactsKnownNames = true

        /// Whether the values of cookies are secrets, `true` by default.
        ///
        /// This setting applies to `Cookie`, `Set-Cookie` and the lists of cookies. Names and attributes are unchanged.
        public var redactsCookies = true

        /// Whether secrets with a known format are detected in any text, `true` by default.
        ///
        /// These secrets are bearer tokens, JSON Web Tokens, keys for AWS, GitHub, Slack, Stripe, Google and other
        /// services, private keys, and card numbers.
        public var detectsKnownSecrets = true

        /// Whether further occurrences of a secret in the same entry are replaced, `true` by default.
        ///
        /// Only secrets of at least eight bytes are searched for. The values of cookies must also look random.
        public var redactsRepetitions = true

        /// Header fields whose values are secrets, in addition to the well-known ones.
        public var headers: Set<String> = []

        /// Query items whose values are secrets, in addition to the well-known ones.
        public var queryItems: Set<String> = []

        /// Form fields whose values are secrets, in addition to the well-known ones.
        public var formFields: Set<String> = []

        /// JSON members whose values are secrets, in addition to the well-known ones: strings, numbers, and every
        /// string and number in arrays and objects.
        public var jsonKeys: Set<String> = []

        /// Regular expressions (https://unicode-org.github.io/icu/userguide/strings/regexp.html) for secrets in any
        /// text.
        ///
        /// The secret is the first capture group of a match, or the whole match if the expression has no groups.
        ///
        /// Texts longer than a megabyte are searched in chunks of that size, which overlap by 4,096 characters.
        public var patterns: [String] = []

        /// Well-known names whose values are not secrets.
        ///
        /// This setting also applies to header fields and cookies with these names.
        public var allowedNames: Set<String> = []

        /// Values that are not secrets, such as test data.
        public var allowedValues: Set<String> = []

        /// The key for placeholders; the user's key by default.
        public var key = Key.user

        /// Creates the default settings, which detect all known secrets.
        public init() {}

        /// The default settings.
        public static let standard = Self()

        /// Settings that detect nothing, as a starting point for enabling individual kinds of secrets.
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
