import Synchronization

/// Header fields without secrets, which most messages repeat, so they are searched only once.
///
/// The fields of one redactor are independent of its entries: a field that contains a secret of another field of its entry
/// is found in a later pass.
final class PlainFields: Sendable {
    private let known = Mutex<Set<String>>([])

    /// The maximum number of fields.
    private static let limit = 2000

    /// The maximum size of a value, in bytes.
    private static let largestValue = 256

    /// Returns whether a field is known, and its identity if it may be added; nil if its value is too long.
    func find(_ name: String, _ value: String) -> (key: String, isKnown: Bool)? {
        guard value.utf8.count <= Self.largestValue else { return nil }
        let key = "\(name.utf8.count) \(name)\(value)"
        return (key, known.withLock { $0.contains(key) })
    }

    /// Adds a field.
    func add(_ key: String) {
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known.insert(key)
        }
    }
}
