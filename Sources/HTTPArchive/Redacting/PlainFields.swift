import Synchronization

/// Header fields and short strings without secrets, which most entries repeat, so they are searched only once.
///
/// The strings of one redactor are independent of its entries: a string that contains a secret of another string of its
/// entry is found in a later pass.
final class PlainFields: Sendable {
    /// A string and its name.
    struct Field: Hashable, Sendable {
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

        func hash(into hasher: inout Hasher) {
            name.withUTF8Bytes { hasher.combine(bytes: $0) }
            value.withUTF8Bytes { hasher.combine(bytes: $0) }
        }
    }

    private let known = Mutex<Set<Field>>([])

    /// The maximum number of fields.
    private static let limit = 2000

    /// Returns whether a field has no secrets, as an earlier search has found.
    func contains(_ field: Field) -> Bool { known.withLock { $0.contains(field) } }

    /// Adds a field.
    func add(_ field: Field) {
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known.insert(field)
        }
    }
}
