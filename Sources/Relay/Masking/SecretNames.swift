/// The names of header fields, query items, form fields and JSON members whose values are secrets.
enum SecretNames {
    /// What stands in place of a secret.
    static let mask = "•••"

    /// Whether values of a name are to be kept out of messages.
    ///
    /// Names are compared without case and without what separates their words: `X-Api-Key` is `x_api_key`, and
    /// `user[password]` ends in `password`.
    ///
    /// - Parameter name: The name, with nothing percent-encoded.
    /// - Returns: Whether it is the name of a secret. A text of more than 256 bytes is not taken for a name.
    static func isSecret(_ name: String) -> Bool {
        guard name.utf8.count <= 256 else { return false }
        let letters = String(String.UnicodeScalarView(name.unicodeScalars.filter { !separators.contains($0) }))
        let name = letters.lowercased()
        return names.contains(name) || endings.contains { name.hasSuffix($0) } || parts.contains { name.contains($0) }
    }

    /// A URL without user and password, and without the values of secret items in its query and its fragment.
    ///
    /// - Parameters:
    ///   - url: The URL as text.
    ///   - user: What stands in place of a user and a password, before the `@`; `nil` (the default) leaves out the `@` too.
    /// - Returns: The URL, with all else as it was written.
    /// - Complexity: O(*n*) in the length of the URL.
    static func masked(url: String, user: String? = nil) -> String {
        let pieces = URLPieces(url)
        let start = String(url[..<pieces.user.startIndex])
        let shownUser = pieces.user.isEmpty ? "" : user.map { $0 + "@" } ?? ""
        return start + shownUser + pieces.authority + pieces.path + masked(form: pieces.query)
            + masked(form: pieces.fragment)
    }

    /// Items as a query or a form has them, without the values of those that are secrets.
    ///
    /// - Parameter text: Items between `&`; a mark of a query or a fragment may stand before them.
    /// - Returns: The items, with all else as it was written. A secret value reaches to the next `&`, whatever it has.
    static func masked(form text: Substring) -> String {
        var items: [String] = []
        for item in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            items.append(masked(item: Substring(item)))
        }
        return items.joined(separator: "&")
    }

    /// One item; there may be several to those who separate items by `;`, or have a query in the fragment.
    private static func masked(item: Substring) -> String {
        let bytes = item.utf8
        var start = bytes.startIndex
        while let equals = bytes[start...].firstIndex(of: UInt8(ascii: "=")) {
            let before = bytes[start..<equals]
            let nameStart = before.lastIndex { starts.contains($0) }.map { bytes.index(after: $0) } ?? start
            start = bytes.index(after: equals)
            if start != bytes.endIndex, isSecret(decoded(bytes[nameStart..<equals])) {
                return String(item[..<start]) + mask
            }
        }
        return String(item)
    }

    /// A name without percent-encoding; what is none stays.
    private static func decoded(_ name: Substring.UTF8View) -> String {
        guard name.contains(UInt8(ascii: "%")) else { return String(Substring(name)) }
        return PercentEncoding.removed(from: name)
    }

    private static let separators = Set("-_.[]+$: ".unicodeScalars)
    private static let starts = Set("?;#/".utf8)

    /// Whole names.
    private static let names: Set = [
        "assertion", "auth", "bearer", "code", "codeverifier", "cookie", "cookie2", "credentials", "csrf", "cvc", "cvv",
        "hmac", "jwt", "key", "oauthverifier", "otp", "pass", "pin", "pw", "samlresponse", "session", "sessionkey",
        "setcookie", "setcookie2", "sid", "sig", "ticket", "totp", "xsrf",
    ]

    /// What the name of a secret ends in, such as `x-amz-security-token`.
    private static let endings = [
        "accesskey", "appkey", "authcode", "authkey", "clientassertion", "consumerkey", "credential", "devicecode",
        "encryptionkey", "functionskey", "masterkey", "mfacode", "onetimecode", "otpcode", "privatekey", "pwd",
        "securitycode",
        "sessid", "sessionid", "sharedkey", "signature", "signingkey", "smscode", "subscriptionkey", "token",
        "verificationcode",
    ]

    /// What stands anywhere in the name of a secret, such as `password_confirmation`.
    private static let parts = ["apikey", "authorization", "passphrase", "passwd", "password", "secret"]
}
