package import Foundation

/// The cookies of header fields (RFC 6265, https://www.rfc-editor.org/rfc/rfc6265).
package enum CookieHeader {
    /// The cookie that a field of the name `Set-Cookie` sets (section 5.2).
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - now: When it came, which `Max-Age` counts from.
    /// - Returns: `nil` for an empty one, which sets nothing.
    package static func cookie(_ value: String, at now: Date) -> HAR.Cookie? {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        guard var cookie = pair(parts[0]) else { return nil }
        var expires: Date?
        var age: Double?
        // The last attribute of a name counts.
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

    /// The cookies that a field of the name `Cookie` sends (section 4.2).
    ///
    /// - Parameter value: The field's value.
    /// - Returns: Names and values, in their order.
    package static func cookies(sentIn value: String) -> [HAR.Cookie] { value.split(separator: ";").compactMap(pair) }

    /// The name of an attribute in lower case.
    ///
    /// - Parameter part: What stands between two semicolons.
    /// - Returns: What stands in front of the equals sign.
    package static func attributeName(_ part: some StringProtocol) -> String {
        trimmed(Substring(part).prefix { $0 != "=" }).lowercased()
    }

    /// The seconds of `Max-Age`; `nil` for what is no number.
    private static func age(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // Browsers end every cookie after some centuries at most.
        return Double(text).map { min($0, 1e11) }
    }

    /// Name and value; what has no equals sign is a value without a name, as to browsers
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
