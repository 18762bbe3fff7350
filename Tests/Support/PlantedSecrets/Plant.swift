/// A name and a value to plant in an archive.
package struct Plant: Sendable, Hashable {
    /// The name of the value.
    package var name: String

    /// The value, unescaped.
    package var value: String

    /// Whether the value is a secret.
    package var isSecret: Bool

    /// Creates a plant.
    package init(name: String, value: String, isSecret: Bool) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
    }

    /// Returns a plant with the same name and another value.
    func with(_ value: String) -> Plant { Plant(name: name, value: value, isSecret: isSecret) }
}

/// The characters that a location permits in values.
package enum PlantAlphabet: Sendable {
    /// Letters, digits, hyphens, underscores and periods.
    case token

    /// Any printable character.
    case any
}

extension Plant {
    /// The names whose values are secrets, in the notations of query items, JSON members, environment variables and
    /// header fields.
    package static let secretNames = [
        "password", "passwd", "pwd", "user_pass", "userPassword", "new-password", "passcode", "passphrase", "otp",
        "otpCode", "totp", "pin", "cvv", "securityCode", "mfa_code", "verification_code", "recoveryCode", "token",
        "access_token", "accessToken", "refreshToken", "id_token", "auth-token", "X-Vault-Token", "X-Api-Key",
        "api_key",
        "apiKey", "X-Auth-Token", "X-CSRF-Token", "csrf_token", "xsrfToken", "client_secret", "clientSecret", "secret",
        "webhook-secret", "sessionId", "session_id", "jsessionid", "private_key", "signingKey", "access_key",
        "secretKey", "aws_secret_access_key", "X-Amz-Security-Token", "X-Amz-Signature", "signature", "sig", "jwt",
        "device_code", "code_verifier", "SAMLResponse", "credential", "dbPassword", "DB_PASSWORD", "encryption_key",
        "authorization", "nonce", "cnonce", "__cf_chl_tk", "__cf_chl_f_tk", "__cf_chl_rt_tk", "cf_clearance", "__cf_bm",
    ]

    /// Names that secrets and other values share.
    ///
    /// Their values are secrets if they look random.
    package static let ambiguousNames = ["key", "code", "session", "auth"]

    /// Names and values that are not secrets, although parts of the names also occur in the names of secrets.
    package static let decoys = [
        ("secretary", "Marguerite"), ("tokenizer", "sentencepiece"), ("author", "Melville"), ("keyboard", "qwertz"),
        ("passenger", "Lindqvist"), ("pinned", "thursday"), ("session_count", "4217"), ("token_type", "holder"),
        ("monkey", "capuchin"), ("passage", "northwest"), ("tokens_used", "18346"), ("authority", "harbour"),
        ("compass", "northeast"), ("bypass", "motorway"), ("signal", "greenish"), ("assignment", "homework"),
        ("design", "bauhaus"), ("spinning", "wheel"), ("opinion", "editorial"), ("shipping", "express"),
        ("hotkey", "F1187"), ("keyword", "sandals"), ("turkey", "anatolia"), ("inside", "courtyard"),
        ("password_length", "14"), ("password_strength", "mediocre"), ("has_password", "true"),
        ("password_expires", "2031-05-17"), ("tokenCount", "8765"), ("max_tokens", "4096"), ("authorId", "77310"),
        ("sessionDuration", "3599"), ("pinColor", "crimson"), ("authenticated", "false"), ("codeName", "falcon"),
        ("zip_code", "90417"), ("country_code", "NZL"), ("status_code", "418"), ("currencyCode", "CHF"),
        ("sort_key", "price"), ("code", "EURO"), ("key", "label"), ("session", "morning"), ("X-Keyboard", "dvorak"),
        ("X-Request-Id", "5c1e0b7a-93d4-4f0e-8a51-2b6d7e90c3f4"), ("etagOfPage", "33a64df551425fcc55e4"),
        ("commit", "9fceb02d0ae598e95dc970b74767f19372d61af8"), ("classification", "mammal"), ("passing", "grade"),
        ("tokenless", "visitor"), ("Pinterest", "boards"), ("signed_in", "yesterday"), ("desktop", "gnome"),
        ("remember_password", "true"), ("password_reset", "false"), ("otp_required", "true"), ("pin_length", "4444"),
        ("token_expires_at", "2031-06-18T10:00:00Z"), ("session_timeout", "1807"), ("passcode_enabled", "false"),
        ("token_endpoint", "/oauth2/issue"), ("authorization_endpoint", "/oauth2/ask"), ("password_policy", "lenient"),
        ("signatureAlgorithm", "ed25519"), ("passport_country", "Norway"), ("keyName", "escape"),
        ("secret_count", "3121"),
        ("creditCardType", "mastro"), ("passwordless", "enabled"), ("one_time_offer", "autumn"),
        ("bearer_format", "compact"), ("cookie_consent", "granted"), ("accessibility", "screenreader"),
        ("tokenized", "corpus"), ("encryption", "optional"), ("pinyin", "beijing"), ("hashtag", "sunset"),
        ("password_changed_at", "2031-07-19"), ("token_count", "5512"), ("password_hint", "grandmother"),
        ("announcement", "holidays"), ("country", "Iceland"),
    ].map { Plant(name: $0.0, value: $0.1, isSecret: false) }

    /// The number of kinds of values.
    static let kinds = 5

    /// Creates secrets for names, with unique values that depend only on the names and the location.
    static func secrets(_ names: [String], in place: String, _ alphabet: PlantAlphabet) -> [Plant] {
        names.enumerated().map { index, name in
            var random = PlantGenerator(seed: place + "/" + name)
            return Plant(name: name, value: value(named: name, kind: index, alphabet, &random), isSecret: true)
        }
    }

    private static let numeric: Set = [
        "otp", "otpCode", "totp", "pin", "mfa_code", "verification_code", "securityCode",
    ]

    private static func value(
        named name: String, kind: Int, _ alphabet: PlantAlphabet, _ random: inout PlantGenerator
    ) -> String {
        if name == "cvv" || numeric.contains(name) { return random.text(7, of: "123456789") }
        if ambiguousNames.contains(name) { return random.text(24, of: letters + digits) + "7x4" }
        return switch kind % kinds {
        case 0: random.text(22, of: letters + digits)
        case 1 where alphabet == .any:
            random.text(9, of: letters + digits) + "+/&=\"\\'<% " + random.text(9, of: letters)
        case 1: random.text(16, of: letters + digits + "-_.") + random.text(2, of: letters)
        case 2: random.text(10, of: letters)
        case 3: random.text(32, of: "0123456789abcdef")
        default: random.text(8, of: letters) + "-" + random.text(8, of: digits) + "." + random.text(4, of: letters)
        }
    }

    private static let letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
    private static let digits = "0123456789"
}

/// A random generator that returns the same numbers for the same seed (SplitMix64).
package struct PlantGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Creates a generator with the hash of a string as its seed (FNV-1a).
    init(seed: String) {
        state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns random characters of an alphabet.
    mutating func text(_ count: Int, of alphabet: String) -> String {
        let characters = Array(alphabet)
        return String((0..<count).map { _ in characters[Int(next() % UInt64(characters.count))] })
    }
}
