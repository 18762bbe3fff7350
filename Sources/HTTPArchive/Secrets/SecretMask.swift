package import Foundation

/// Replaces values with secret names by a mask, for use in messages.
///
/// All secrets get the same mask, so that it reveals nothing about them.
package struct SecretMask: Sendable {
    /// The replacement for a secret.
    private let mask: [UInt8]

    /// Creates a mask.
    ///
    /// - Parameter mask: The replacement for a secret.
    package init(_ mask: String) {
        self.mask = Array(mask.utf8)
    }

    /// Returns a URL without user and password, and with secret values in its query and its fragment masked.
    ///
    /// - Parameters:
    ///   - url: The URL as text.
    ///   - user: The replacement for a user and a password before the `@`, or nil to remove the `@` too.
    /// - Returns: The URL, otherwise unchanged.
    /// - Complexity: O(*n*) in the length of the URL.
    package func masked(url: String, user: String?) -> String {
        masked(url) { text, names in
            let ranges = URLRanges(text)
            var edits: [TextEdit] = []
            if !ranges.user.isEmpty {
                edits.append(TextEdit(range: ranges.user, replacement: user.map { Array("\($0)@".utf8) } ?? []))
            }
            for range in [ranges.query, ranges.fragment] {
                let text = text[from: range.lowerBound, to: range.upperBound]
                edits += names.formEdits(in: text, as: .query).map { $0.moved(by: range.lowerBound) }
            }
            return edits
        }
    }

    /// Returns the items of a query or a form with secret values masked.
    ///
    /// - Parameter text: Items separated by `&`. The `?` of a query or the `#` of a fragment may precede them.
    /// - Returns: The items, otherwise unchanged. A secret value extends to the next `&`.
    package func masked(form text: String) -> String { masked(text) { $1.formEdits(in: $0, as: .form) } }

    /// Returns a JSON text with the values of secret members masked, including objects and arrays.
    ///
    /// - Parameter json: The text, which may be truncated or not be JSON at all.
    /// - Returns: The text, otherwise unchanged. `null`, `true`, `false` and empty strings are never masked.
    /// - Complexity: O(*n*) in the length of the text.
    package func masked(json: String) -> String { masked(json) { $1.jsonEdits(in: $0) } }

    /// Returns a body with the values of secret JSON members and form fields masked.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of `Content-Type`, or nil to distinguish JSON from a form by the first character.
    /// - Returns: The body, otherwise unchanged. A body that is neither JSON nor a form is unchanged.
    /// - Complexity: O(*n*) in the size of the body.
    package func masked(body: Data, type: String?) -> Data {
        let type = type.flatMap { MediaType($0) }
        let edits = body.withUnsafeBytes { text -> [TextEdit] in
            var names = MaskedNames(mask: mask)
            if type?.essence == "multipart/form-data", let boundary = MultipartPart.boundary(of: text, type: type) {
                return MultipartPart.parts(of: text, boundary: boundary, tolerance: .all).compactMap { part in
                    part.name.flatMap { SecretNames.isSecret($0) ? part.content : nil }
                        .map { TextEdit(range: $0, replacement: mask) }
                }
            }
            guard String(validating: text, as: UTF8.self) != nil else { return [] }
            let start = text.first { $0 > 0x20 }
            if type?.essence.contains("json") == true || start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
                return names.jsonEdits(in: text)
            }
            let isForm = type.map { $0.essence == "application/x-www-form-urlencoded" } ?? true
            return isForm ? names.formEdits(in: text, as: .form) : []
        }
        if edits.isEmpty { return body }
        return body.withUnsafeBytes { Data(edits.applied(to: $0)) }
    }

    private func masked(
        _ text: String, _ edits: (UnsafeRawBufferPointer, inout MaskedNames) -> [TextEdit]
    ) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var names = MaskedNames(mask: mask)
            let bytes = UnsafeRawBufferPointer(bytes)
            return String(decoding: edits(bytes, &names).applied(to: bytes), as: UTF8.self)
        }
    }
}

/// Replaces every value that has a secret name by the same mask.
private struct MaskedNames: SecretReplacing {
    let mask: [UInt8]

    func isCandidate(_ name: String, in context: NamedValue.Context) -> Bool { SecretNames.isSecret(name) }

    /// Returns the mask, or nil for a placeholder, which is not a secret and shows that one was redacted.
    func replacement(for value: NamedValue) -> [UInt8]? { Placeholder.isPlaceholder(value.bytes) ? nil : mask }

    func edits(inUnescaped text: [UInt8]) -> [TextEdit] { [] }

    func isPassedOn(_ name: String) -> Bool { false }
}
