package import Foundation

/// The cookies of header fields (RFC 6265, https://www.rfc-editor.org/rfc/rfc6265).
package enum CookieHeader {
    /// Parses the value of a `Set-Cookie` field (section 5.2).
    ///
    /// - Parameters:
    ///   - value: The value of the field.
    ///   - now: The time at which the response was received; `Max-Age` is relative to it.
    /// - Returns: The cookie; `nil` for an empty value.
    package static func cookie(_ value: String, at now: Date) -> HAR.Cookie? {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        guard var cookie = pair(parts[0]) else { return nil }
        var expires: Date?
        var age: Double?
        // The last attribute with a name takes precedence.
        for part in parts.dropFirst() {
            let text = part.firstIndex(of: "=").map { trimmed(part[part.index(after: $0)...]) } ?? ""
            switch attributeName(part) {
            case "expires": expires = CookieDate.date(text) ?? expires
            case "max-age": age = self.age(text) ?? age
            case "domain" where !text.isEmpty:
                cookie.domain = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
            case "path": cookie.path = text.hasPrefix("/") ? text : nil
            case "secure": cookie.secure = true
            case "httponly": cookie.httpOnly = true
            case "samesite" where !text.isEmpty: cookie["_sameSite"] = .string(JSONString(text))
            default: break
            }
        }
        if let age { expires = age > 0 ? now.addingTimeInterval(age) : Date(timeIntervalSince1970: 0) }
        cookie.expires = expires.map(HAR.text)
        cookie.httpOnly = cookie.httpOnly ?? false
        cookie.secure = cookie.secure ?? false
        return cookie
    }

    /// Parses the value of a `Cookie` field (section 4.2).
    ///
    /// - Parameter value: The value of the field.
    /// - Returns: The names and values, in order.
    package static func cookies(sentIn value: String) -> [HAR.Cookie] { value.split(separator: ";").compactMap(pair) }

    /// Returns the name of an attribute in lower case.
    ///
    /// - Parameter part: The attribute: the text between two semicolons.
    /// - Returns: The text before the equals sign.
    package static func attributeName(_ part: some StringProtocol) -> String {
        trimmed(Substring(part).prefix { $0 != "=" }).lowercased()
    }

    /// Returns the seconds of a `Max-Age` attribute; `nil` if the text is not a number.
    private static func age(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // Browsers limit the lifetime of a cookie far below this.
        return Double(text).map { min($0, 1e11) }
    }

    /// Parses a name and a value; as in browsers, a text without an equals sign is a value without a name
    /// (https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-15.html#section-5.6).
    private static func pair(_ text: Substring) -> HAR.Cookie? {
        guard let equals = text.firstIndex(of: "=") else {
            let value = trimmed(text)
            return value.isEmpty ? nil : HAR.Cookie(name: "", value: value)
        }
        return HAR.Cookie(name: trimmed(text[..<equals]), value: trimmed(text[text.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}
