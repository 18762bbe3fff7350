import Synchronization

/// Header fields and short strings without secrets, which most entries repeat, so they are searched only once.
///
/// The strings of one redactor are independent of its entries: a string that contains a secret of another string of its
/// entry is found in a later pass.
final class PlainFields: Sendable {
    /// A string and its name.
    struct Field: Equatable, Sendable {
        let name: String
        let value: String

        /// Whether the string is the value of a header field.
        let isHeader: Bool

        /// Returns a field, or nil if its value is too long to be remembered.
        init?(_ name: String, _ value: String, isHeader: Bool) {
            guard value.utf8.count <= (isHeader ? 256 : 23) else { return nil }
            (self.name, self.value, self.isHeader) = (name, value, isHeader)
        }

        // Strings with different bytes are not equal, even if they are canonically equivalent.
        static func == (first: Self, second: Self) -> Bool {
            first.isHeader == second.isHeader && first.value.hasSameBytes(as: second.value)
                && first.name.hasSameBytes(as: second.name)
        }

        var hash: UInt64 {
            let hash = name.withUTF8Bytes { $0.quickHash(after: 0) }
            return value.withUTF8Bytes { $0.quickHash(after: hash) }
        }
    }

    private let known = Mutex(RecentTable<Field, Void>(rowBits: 10))

    /// Returns whether a field has no secrets, as an earlier search has found.
    func contains(_ field: Field) -> Bool {
        let hash = field.hash
        return known.withLock { $0.value(of: field, hash: hash) != nil }
    }

    /// Returns whether a value is a header field in which an earlier search has found no secrets.
    func contains(header value: JSONValue) -> Bool {
        guard case .object(let header) = value else { return false }
        let members = header.members
        guard members.count == 2, members[0].name.text == "name", case .string(let name) = members[0].value,
            members[1].name.text == "value", case .string(let text) = members[1].value,
            let field = Field(name.text, text.text, isHeader: true)
        else { return false }
        return contains(field)
    }

    /// Adds a field.
    func add(_ field: Field) {
        let hash = field.hash
        known.withLock { $0.insert((), for: field, hash: hash) }
    }
}
