package import Foundation

/// Parses the cookies in header fields (RFC 6265, https://www.rfc-editor.org/rfc/rfc6265).
package enum CookieHeader {
    /// Parses the value of a `Set-Cookie` field (section 5.2).
    ///
    /// - Parameters:
    ///   - value: The value of the field.
    ///   - now: The time at which the response was received, to which `Max-Age` is relative.
    /// - Returns: The cookie, or `nil` for an empty value.
    package static func cookie(_ value: String, at now: Date) -> HAR.Cookie? {
        let parts = CookieText.parts(of: value.utf8).map { CookieText($0) }
        guard var cookie = parts.first.flatMap(cookie) else { return nil }
        var expires: Date?
        var age: Double?
        // If an attribute is repeated, the last one takes precedence.
        for part in parts.dropFirst() {
            let text = part.name == nil ? "" : part.text
            switch part.attribute {
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
    /// - Returns: The cookies, in order.
    package static func cookies(sentIn value: String) -> [HAR.Cookie] {
        CookieText.parts(of: value.utf8).compactMap { cookie(CookieText($0)) }
    }

    /// Returns the number of seconds in a `Max-Age` attribute, or `nil` if the text is not a number.
    private static func age(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // Browsers limit the lifetime of a cookie to far less than this.
        return Double(text).map { min($0, 1e11) }
    }

    /// Returns the cookie for a name-value pair, or `nil` if the pair is empty.
    private static func cookie(_ pair: CookieText) -> HAR.Cookie? {
        guard let name = pair.name else { return pair.value.isEmpty ? nil : HAR.Cookie(name: "", value: pair.text) }
        return HAR.Cookie(name: String(Substring(name)), value: pair.text)
    }
}
