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

extension InterceptedRequest {
    /// The approximate number of bytes to parse and compare.
    var byteCount: Int {
        let head = headers.reduce(url.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard let body, !body.isEmpty else { return head }
        let isCoded = !headers.values(named: "content-encoding").isEmpty
        return head + (isCoded ? min(body.count, 1 << 20) * Self.largestRatio : body.count)
    }

    /// The ratio of DEFLATE for data of equal bytes (https://zlib.net/zlib_tech.html); other codings exceed it.
    private static let largestRatio = 1032
}
