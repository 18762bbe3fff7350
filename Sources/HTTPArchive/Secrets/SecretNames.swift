import Synchronization

/// The names of header fields, query items, form fields and JSON members whose values are secrets.
package enum SecretNames {
    /// The likelihood that a value with a certain name is a secret.
    enum Strength {
        /// The name does not indicate a secret.
        case none

        /// The value is a secret if it looks random. A `code`, for example, may belong to OAuth or to a currency.
        case likely

        /// The value is a secret.
        case certain
    }

    /// Whether values with a name must not appear in messages.
    ///
    /// Names are compared ignoring case and word separators: `X-Api-Key` equals `x_api_key`, and `user[password]` ends
    /// in `password`.
    ///
    /// - Parameter name: The name, without percent-encoding.
    /// - Returns: Whether the name belongs to a secret. A text longer than 256 bytes is not considered a name.
    package static func isSecret(_ name: String) -> Bool { strength(of: name) != .none }

    /// Returns the likelihood that a value with this name is a secret.
    ///
    /// Results are cached, because the same names recur and each is compared with many others.
    static func strength(of name: String) -> Strength {
        guard name.utf8.count <= 64 else { return computedStrength(of: name) }
        if let strength = cache.withLock({ $0[name] }) { return strength }
        let strength = computedStrength(of: name)
        cache.withLock { cache in
            if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
            cache[name] = strength
        }
        return strength
    }

    private static let cacheLimit = 4_096

    /// The strengths of recent names.
    private static let cache = Mutex<[String: Strength]>([:])

    private static func computedStrength(of name: String) -> Strength {
        guard let folded = folded(name), let last = folded.last else { return .none }
        if likely.contains(folded) { return .likely }
        let isCertain =
            names.contains(folded) || endings[last]?.contains { folded.hasSuffix($0) } == true
            || parts.contains { folded.contains($0) }
        return isCertain ? .certain : .none
    }

    /// Returns the normalized form of a name for comparisons, or nil for a text longer than 256 bytes.
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

    /// Complete names that may also belong to values that are not secrets.
    private static let likely = Set(
        ["auth", "bearer", "code", "cookie", "credentials", "key", "session", "ticket"].map { Array($0.utf8) })

    /// Complete names of secrets.
    private static let names = Set(
        [
            "assertion", "codeverifier", "cookie2", "csrf", "cvc", "cvv", "hmac", "jwt", "oauthverifier", "otp", "pass",
            "pin", "pw", "samlresponse", "sessionkey", "setcookie", "setcookie2", "sid", "sig", "totp", "xsrf",
        ].map { Array($0.utf8) })

    /// Suffixes of secret names, such as `x-amz-security-token`, grouped by their last letter.
    private static let endings = Dictionary(
        grouping: [
            "accesskey", "appkey", "authcode", "authkey", "clientassertion", "consumerkey", "credential", "devicecode",
            "encryptionkey", "functionskey", "masterkey", "mfacode", "onetimecode", "otpcode", "privatekey", "pwd",
            "securitycode", "sessid", "sessionid", "sharedkey", "signature", "signingkey", "smscode", "subscriptionkey",
            "token", "verificationcode",
        ].map { Array($0.utf8) }, by: { $0[$0.count - 1] })

    /// Substrings of secret names, such as `password_confirmation`.
    private static let parts = ["apikey", "authorization", "passphrase", "passwd", "password", "secret"]
        .map { Array($0.utf8) }
}

extension [UInt8] {
    /// Whether the array ends with other bytes.
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { count >= other.count && suffix(other.count) == other[...] }
}
