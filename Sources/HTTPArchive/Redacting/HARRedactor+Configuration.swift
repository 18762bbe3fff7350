extension HARRedactor {
    /// What a redactor takes for secrets, and what it leaves.
    ///
    /// Names are compared without case and without what separates their words: `X-Api-Key` is `x_api_key`.
    public struct Configuration: Sendable, Hashable {
        /// Whether values are secrets whose names are well known for it, `true` by default.
        ///
        /// These are `Authorization`, `X-Api-Key`, `access_token`, `password` and the like, in header fields, query items,
        /// form fields and JSON; passwords in URLs too.
        /// Of names that have other values too, such as `code` and `key`, values count that look random.
        public var redactsKnownNames = true

        /// Whether the values of cookies are secrets, `true` by default.
        ///
        /// They stand in `Cookie`, in `Set-Cookie` and in the lists of cookies; names and attributes stay.
        public var redactsCookies = true

        /// Whether secrets are found by their form, wherever they stand, `true` by default.
        ///
        /// They are bearer tokens, JSON Web Tokens, keys of AWS,
        /// GitHub, Slack, Stripe, Google and others, private keys, and card numbers.
        public var detectsKnownSecrets = true

        /// Whether a secret that was found is also replaced where it stands again in the same entry, `true` by default.
        ///
        /// Secrets of eight bytes and more are looked for, and of cookies those that look random.
        public var redactsRepetitions = true

        /// Header fields whose values are secrets, besides the well-known ones.
        public var headers: Set<String> = []

        /// Query items whose values are secrets, besides the well-known ones.
        public var queryItems: Set<String> = []

        /// Form fields whose values are secrets, besides the well-known ones.
        public var formFields: Set<String> = []

        /// JSON members whose values are secrets, besides the well-known ones: strings and numbers, and all of them within
        /// arrays and objects.
        public var jsonKeys: Set<String> = []

        /// Regular expressions (https://unicode-org.github.io/icu/userguide/strings/regexp.html) of secrets in any text;
        /// the secret is the first group of a match, or the match where there is no group.
        ///
        /// Texts of more than a megabyte are searched in pieces of that size, each with 4,096 characters of the one before.
        public var patterns: [String] = []

        /// Names whose values are no secrets, though they are well known, and header fields and cookies of these names.
        public var allowedNames: Set<String> = []

        /// Values that are no secrets, such as those of tests.
        public var allowedValues: Set<String> = []

        /// The key that makes the placeholders; that of the user by default.
        public var key = Key.user

        /// Creates the default settings, which find all that is known.
        public init() {}

        /// The default settings.
        public static let standard = Self()

        /// Settings that find nothing, to which single kinds can be added.
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
