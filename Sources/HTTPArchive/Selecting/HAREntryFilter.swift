public import Foundation

/// Says which entries of an archive are wanted.
///
/// ```swift
/// let filter = HAREntryFilter.all(of: [.host("*.example.com"), .status(200...299), .failed.inverted])
/// ```
public struct HAREntryFilter: Sendable {
    private let condition: @Sendable (HAR.Entry, Int) -> Bool

    /// Creates a filter from a condition of any kind.
    ///
    /// - Parameter condition: Whether an entry is wanted; it is also given its place in the archive, counted from 0.
    public init(_ condition: @escaping @Sendable (_ entry: HAR.Entry, _ index: Int) -> Bool) {
        self.condition = condition
    }

    /// Whether an entry is wanted.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: Its place in the archive, counted from 0.
    /// - Returns: Whether it is.
    public func selects(_ entry: HAR.Entry, at index: Int) -> Bool { condition(entry, index) }
}

extension HAREntryFilter {
    /// The entries that all filters select; every entry for no filter.
    ///
    /// - Parameter filters: The filters.
    /// - Returns: A filter.
    public static func all(of filters: [HAREntryFilter]) -> HAREntryFilter {
        HAREntryFilter { entry, index in filters.allSatisfy { $0.selects(entry, at: index) } }
    }

    /// The entries that at least one filter selects; no entry for no filter.
    ///
    /// - Parameter filters: The filters.
    /// - Returns: A filter.
    public static func any(of filters: [HAREntryFilter]) -> HAREntryFilter {
        HAREntryFilter { entry, index in filters.contains { $0.selects(entry, at: index) } }
    }

    /// The entries that this filter does not select.
    public var inverted: HAREntryFilter {
        HAREntryFilter { entry, index in !selects(entry, at: index) }
    }
}

extension HAREntryFilter {
    /// The entries of a host.
    ///
    /// - Parameter pattern: The host in any case, with its port or for all ports; `*` stands for any characters.
    /// - Returns: A filter.
    public static func host(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern.lowercased(), separators: "")
        return HAREntryFilter { entry, _ in
            guard let authority = URLAuthority(of: entry.request.url) else { return false }
            return pattern.matches(authority.host) || pattern.matches(authority.hostAndPort)
        }
    }

    /// The entries of a URL; a fragment of the entry's URL does not count.
    ///
    /// - Parameter pattern: The whole URL; `*` stands for any characters but `/` and `?`, and `**` for any characters.
    /// - Returns: A filter.
    public static func url(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern, separators: "/?")
        return HAREntryFilter { entry, _ in
            let url = entry.request.url
            return pattern.matches(url[..<(url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex)])
        }
    }

    /// The entries of a method.
    ///
    /// - Parameter method: The method, in any case.
    /// - Returns: A filter.
    public static func method(_ method: String) -> HAREntryFilter {
        let method = method.uppercased()
        return HAREntryFilter { entry, _ in entry.request.method.uppercased() == method }
    }

    /// The entries whose answer has one of some status codes.
    ///
    /// - Parameter codes: The codes.
    /// - Returns: A filter.
    public static func status(_ codes: ClosedRange<Int>) -> HAREntryFilter {
        HAREntryFilter { entry, _ in codes.contains(entry.response.status) }
    }

    /// The entries whose answer has a media type.
    ///
    /// - Parameter pattern: The type without parameters, in any case; `*` stands for any characters, as in `image/*`.
    /// - Returns: A filter.
    public static func mediaType(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern.lowercased(), separators: "")
        return HAREntryFilter { entry, _ in entry.response.mediaType.map { pattern.matches($0.essence) } ?? false }
    }

    /// The entries that began within a span of time; those whose time cannot be told are not among them.
    ///
    /// - Parameter span: The span, without its end.
    /// - Returns: A filter.
    public static func started(in span: Range<Date>) -> HAREntryFilter {
        HAREntryFilter { entry, _ in entry.startedDate.map(span.contains) ?? false }
    }

    /// The entries whose answer has a body of some size; those whose size is unknown are not among them.
    ///
    /// - Parameter sizes: The numbers of bytes, without content codings.
    /// - Returns: A filter.
    public static func bodySize(_ sizes: ClosedRange<Int>) -> HAREntryFilter {
        HAREntryFilter { entry, _ in entry.response.decodedBodySize.map(sizes.contains) ?? false }
    }

    /// The entries whose request was not answered, as ``HAR/Entry/failure`` tells.
    public static let failed = HAREntryFilter { entry, _ in entry.failure != nil }

    /// The entries at some places of the archive.
    ///
    /// - Parameter indices: The places, counted from 0.
    /// - Returns: A filter.
    public static func indices(_ indices: ClosedRange<Int>) -> HAREntryFilter {
        HAREntryFilter { _, index in indices.contains(index) }
    }
}
