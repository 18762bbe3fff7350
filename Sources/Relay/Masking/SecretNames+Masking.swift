import Foundation
import HTTPArchive

extension SecretNames {
    /// What stands in place of a secret in messages.
    static let mask = "•••"

    private static let secrets = SecretMask(mask)

    /// A URL without user and password, and without the values of secret items in its query and its fragment.
    ///
    /// - Parameters:
    ///   - url: The URL as text.
    ///   - user: What stands in place of a user and a password, before the `@`; `nil` (the default) leaves out the `@` too.
    /// - Returns: The URL, with all else as it was written.
    static func masked(url: String, user: String? = nil) -> String { secrets.masked(url: url, user: user) }

    /// Items as a query or a form has them, without the values of those that are secrets.
    static func masked(form text: Substring) -> String { secrets.masked(form: String(text)) }

    /// A JSON text without the values of members that are secrets.
    static func masked(json: String) -> String { secrets.masked(json: json) }

    /// A body without the values of JSON members and of form fields that are secrets.
    static func masked(body: Data, type: String?) -> Data { secrets.masked(body: body, type: type) }
}
