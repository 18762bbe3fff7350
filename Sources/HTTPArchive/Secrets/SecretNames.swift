import Synchronization

/// The names of header fields, query items, form fields and JSON members whose values are secrets.
package enum SecretNames {
    /// How much a name says of its value.
    enum Strength {
        /// Nothing.
        case none

        /// The value is a secret if it looks like one: a `code` may be one of OAuth, and one of a currency.
        case likely

        /// The value is a secret.
        case certain
    }

    /// Whether values of a name are to be kept out of messages.
    ///
    /// Names are compared without case and without what separates their words: `X-Api-Key` is `x_api_key`, and
    /// `user[password]` ends in `password`.
    ///
    /// - Parameter name: The name, with nothing percent-encoded.
    /// - Returns: Whether it is the name of a secret. A text of more than 256 bytes is not taken for a name.
    package static func isSecret(_ name: String) -> Bool { strength(of: name) != .none }

    /// How much a name says of its value.
    ///
    /// The same names come again and again, and each is compared with many.
    static func strength(of name: String) -> Strength {
        guard name.utf8.count <= 64 else { return computedStrength(of: name) }
        if let known = known.withLock({ $0[name] }) { return known }
        let strength = computedStrength(of: name)
        known.withLock { known in
            if known.count >= knownLimit { known.removeAll(keepingCapacity: true) }
            known[name] = strength
        }
        return strength
    }

    private static let knownLimit = 4_096

    /// What was found out, of the last names.
    private static let known = Mutex<[String: Strength]>([:])

    private static func computedStrength(of name: String) -> Strength {
        guard let folded = folded(name), let last = folded.last else { return .none }
        if likely.contains(folded) { return .likely }
        let isCertain =
            names.contains(folded) || endings[last]?.contains { folded.hasSuffix($0) } == true
            || parts.contains { folded.contains($0) }
        return isCertain ? .certain : .none
    }

    /// The form of a name in which names are compared; `nil` for a text of more than 256 bytes.
    static func folded(_ name: String) -> [UInt8]? {
        guard name.utf8.count <= 256 else { return nil }
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            let letters = String(String.UnicodeScalarView(name.unicodeScalars.filter { !separators.contains($0) }))
            return Array(letters.lowercased().utf8)
        }
        var folded: [UInt8] = []
        folded.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
            default: if !separators.contains(Unicode.Scalar(byte)) { folded.append(byte) }
            }
        }
        return folded
    }

    private static let separators = Set("-_.[]+$: ".unicodeScalars)

    /// Whole names that have other values too.
    private static let likely = Set(
        ["auth", "bearer", "code", "cookie", "credentials", "key", "session", "ticket"].map { Array($0.utf8) })

    /// Whole names.
    private static let names = Set(
        [
            "assertion", "codeverifier", "cookie2", "csrf", "cvc", "cvv", "hmac", "jwt", "oauthverifier", "otp", "pass",
            "pin", "pw", "samlresponse", "sessionkey", "setcookie", "setcookie2", "sid", "sig", "totp", "xsrf",
        ].map { Array($0.utf8) })

    /// What the name of a secret ends in, such as `x-amz-security-token`, by the last letter.
    private static let endings = Dictionary(
        grouping: [
            "accesskey", "appkey", "authcode", "authkey", "clientassertion", "consumerkey", "credential", "devicecode",
            "encryptionkey", "functionskey", "masterkey", "mfacode", "onetimecode", "otpcode", "privatekey", "pwd",
            "securitycode", "sessid", "sessionid", "sharedkey", "signature", "signingkey", "smscode", "subscriptionkey",
            "token", "verificationcode",
        ].map { Array($0.utf8) }, by: { $0[$0.count - 1] })

    /// What stands anywhere in the name of a secret, such as `password_confirmation`.
    private static let parts = ["apikey", "authorization", "passphrase", "passwd", "password", "secret"]
        .map { Array($0.utf8) }
}

extension [UInt8] {
    /// Whether it ends in other bytes.
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { count >= other.count && suffix(other.count) == other[...] }
}
