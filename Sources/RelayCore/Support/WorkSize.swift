/// The size of the work for a decision, which selects the queue that does it.
///
/// A decision for a client of a server waits only for work of about the same size, so that large requests and entries
/// do not delay small ones.
enum WorkSize: Int, CaseIterable, Comparable, Sendable {
    case small, medium, large, unlimited

    /// The maximum number of bytes that are read, parsed and compared.
    var limit: Int {
        switch self {
        case .small: 1 << 13
        case .medium: 1 << 16
        case .large: 1 << 20
        case .unlimited: .max
        }
    }

    /// The processor time of a search for a regular expression, in nanoseconds.
    ///
    /// A simple search in a text of this size (``init(searching:reading:)``) takes about half of it. A search that takes
    /// longer is repeated with a larger size.
    var searchTime: UInt64 { self == .unlimited ? .max : UInt64(limit) * 32 }

    /// Creates the least size for searches for regular expressions in a text, and for other work with a number of bytes.
    init(searching text: String, reading count: Int = 0) { self.init(max(text.utf8.count * 32, count)) }

    /// Creates the least size for a number of bytes.
    init(_ count: Int) { self = Self.allCases.first { count <= $0.limit } ?? .unlimited }

    static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
