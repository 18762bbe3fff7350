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

    /// Creates the least size for a number of bytes.
    init(_ count: Int) { self = Self.allCases.first { count <= $0.limit } ?? .unlimited }

    static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
