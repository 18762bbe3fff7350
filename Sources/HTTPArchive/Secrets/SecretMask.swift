package import Foundation

/// Texts for messages, with a mask for what names say is a secret.
///
/// The mask is the same for every secret, so that nothing can be told from it.
package struct SecretMask: Sendable {
    /// What stands in place of a secret.
    private let mask: [UInt8]

    /// Creates a mask.
    ///
    /// - Parameter mask: What stands in place of a secret.
    package init(_ mask: String) {
        self.mask = Array(mask.utf8)
    }

    /// A URL without user and password, and without the values of secret items in its query and its fragment.
    ///
    /// - Parameters:
    ///   - url: The URL as text.
    ///   - user: What stands in place of a user and a password, before the `@`; `nil` leaves out the `@` too.
    /// - Returns: The URL, with all else as it was written.
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

    /// Items as a query or a form has them, without the values of those that are secrets.
    ///
    /// - Parameter text: Items between `&`; a mark of a query or a fragment may stand before them.
    /// - Returns: The items, with all else as it was written. A secret value reaches to the next `&`, whatever it has.
    package func masked(form text: String) -> String { masked(text) { $1.formEdits(in: $0, as: .form) } }

    /// A JSON text without the values of members that are secrets, objects and arrays among them.
    ///
    /// - Parameter json: The text, which may be cut off, or no JSON at all.
    /// - Returns: The text with all else as it was written. `null`, `true`, `false` and empty strings stay.
    /// - Complexity: O(*n*) in the length of the text.
    package func masked(json: String) -> String { masked(json) { $1.jsonEdits(in: $0) } }

    /// A body without the values of JSON members and of form fields that are secrets.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The value of `Content-Type`; without one, the body's first character tells JSON from a form.
    /// - Returns: The body with all else as it was. A body that is neither JSON nor a form stays.
    /// - Complexity: O(*n*) in the size of the body.
    package func masked(body: Data, type: String?) -> Data {
        let type = type.flatMap { MediaType($0) }
        let edits = body.withUnsafeBytes { text -> [TextEdit] in
            var names = MaskedNames(mask: mask)
            if type?.essence == "multipart/form-data", let boundary = type?.parameters["boundary"], !boundary.isEmpty {
                return FormPart.parts(of: text, boundary: boundary).compactMap { part in
                    part.name.flatMap { SecretNames.isSecret($0) ? part.value : nil }
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

/// One mask for all that has the name of a secret.
private struct MaskedNames: SecretReplacing {
    let mask: [UInt8]

    func isCandidate(_ name: String, in context: NamedValue.Context) -> Bool { SecretNames.isSecret(name) }

    /// A placeholder stays: it is no secret, and says that one was taken out.
    func replacement(for value: NamedValue) -> [UInt8]? { Placeholder.isPlaceholder(value.bytes) ? nil : mask }

    func edits(inUnescaped text: [UInt8]) -> [TextEdit] { [] }

    func isPassedOn(_ name: String) -> Bool { false }
}
