public import Foundation

/// Says which entries of an archive are wanted.
///
/// ```swift
/// let filter = HAREntryFilter.all(of: [.host("*.example.com"), .status(200...299), .failed.inverted])
/// ```
public struct HAREntryFilter: Sendable {
    private let condition: @Sendable (HAREntryFacts, Int) throws(HARError) -> Bool

    /// Creates a filter from a condition of any kind.
    ///
    /// - Parameter condition: Whether an entry is wanted; it is also given its place in the archive, counted from 0.
    public init(_ condition: @escaping @Sendable (_ entry: HAR.Entry, _ index: Int) -> Bool) {
        self.init { facts, index throws(HARError) in condition(try facts.entry, index) }
    }

    /// Creates a filter from a condition on what is known of an entry, so that few entries need to be read.
    ///
    /// - Parameter condition: Whether an entry is wanted; it is also given its place in the archive, counted from 0.
    /// - Returns: A filter.
    public static func facts(
        _ condition: @escaping @Sendable (_ facts: HAREntryFacts, _ index: Int) throws(HARError) -> Bool
    ) -> HAREntryFilter {
        HAREntryFilter(condition)
    }

    private init(_ condition: @escaping @Sendable (HAREntryFacts, Int) throws(HARError) -> Bool) {
        self.condition = condition
    }

    /// Whether an entry is wanted.
    ///
    /// - Parameters:
    ///   - facts: What is known of the entry.
    ///   - index: Its place in the archive, counted from 0.
    /// - Returns: Whether it is.
    /// - Throws: As ``HARArchive/entry(at:)`` does, where the entry has to be read.
    public func selects(_ facts: HAREntryFacts, at index: Int) throws(HARError) -> Bool { try condition(facts, index) }

    /// Whether an entry is wanted.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: Its place in the archive, counted from 0.
    /// - Returns: Whether it is.
    public func selects(_ entry: HAR.Entry, at index: Int) -> Bool {
        // What was read cannot fail to be read.
        (try? selects(HAREntryFacts(of: entry), at: index)) ?? false
    }
}

extension HAREntryFilter {
    /// The entries that all filters select; every entry for no filter.
    ///
    /// - Parameter filters: The filters.
    /// - Returns: A filter.
    public static func all(of filters: [HAREntryFilter]) -> HAREntryFilter {
        facts { facts, index throws(HARError) in
            for filter in filters where try !filter.selects(facts, at: index) { return false }
            return true
        }
    }

    /// The entries that at least one filter selects; no entry for no filter.
    ///
    /// - Parameter filters: The filters.
    /// - Returns: A filter.
    public static func any(of filters: [HAREntryFilter]) -> HAREntryFilter {
        facts { facts, index throws(HARError) in
            for filter in filters where try filter.selects(facts, at: index) { return true }
            return false
        }
    }

    /// The entries that this filter does not select.
    public var inverted: HAREntryFilter {
        .facts { facts, index throws(HARError) in try !selects(facts, at: index) }
    }
}

extension HAREntryFilter {
    /// The entries of a host.
    ///
    /// - Parameter pattern: The host in any case, with its port or for all ports; `*` stands for any characters.
    /// - Returns: A filter.
    public static func host(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern.lowercased(), separators: "")
        return facts { facts, _ in
            guard let authority = URLAuthority(of: facts.url) else { return false }
            return pattern.matches(authority.host) || pattern.matches(authority.hostAndPort)
        }
    }

    /// The entries of a URL; a fragment of the entry's URL does not count.
    ///
    /// - Parameter pattern: The whole URL; `*` stands for any characters but `/` and `?`, and `**` for any characters.
    /// - Returns: A filter.
    public static func url(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern, separators: "/?")
        return facts { facts, _ in
            let url = facts.url
            return pattern.matches(url[..<(url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex)])
        }
    }

    /// The entries of a method.
    ///
    /// - Parameter method: The method, in any case.
    /// - Returns: A filter.
    public static func method(_ method: String) -> HAREntryFilter {
        let method = method.uppercased()
        return facts { facts, _ in facts.method.uppercased() == method }
    }

    /// The entries whose answer has one of some status codes.
    ///
    /// - Parameter codes: The codes.
    /// - Returns: A filter.
    public static func status(_ codes: ClosedRange<Int>) -> HAREntryFilter {
        facts { facts, _ in codes.contains(facts.status) }
    }

    /// The entries whose answer has a media type.
    ///
    /// - Parameter pattern: The type without parameters, in any case; `*` stands for any characters, as in `image/*`.
    /// - Returns: A filter.
    public static func mediaType(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern.lowercased(), separators: "")
        return facts { facts, _ throws(HARError) in try facts.mediaType.map { pattern.matches($0.essence) } ?? false }
    }

    /// The entries that began within a span of time; those whose time cannot be told are not among them.
    ///
    /// - Parameter span: The span, without its end.
    /// - Returns: A filter.
    public static func started(in span: Range<Date>) -> HAREntryFilter {
        facts { facts, _ in facts.startedDate.map(span.contains) ?? false }
    }

    /// The entries whose answer has a body of some size; those whose size is unknown are not among them.
    ///
    /// - Parameter sizes: The numbers of bytes, without content codings.
    /// - Returns: A filter.
    public static func bodySize(_ sizes: ClosedRange<Int>) -> HAREntryFilter {
        facts { facts, _ throws(HARError) in try facts.decodedBodySize.map(sizes.contains) ?? false }
    }

    /// The entries whose request was not answered, as ``HAR/Entry/failure`` tells.
    public static let failed = facts { facts, _ in facts.isFailed }

    /// The entries at some places of the archive.
    ///
    /// - Parameter indices: The places, counted from 0.
    /// - Returns: A filter.
    public static func indices(_ indices: ClosedRange<Int>) -> HAREntryFilter {
        facts { _, index in indices.contains(index) }
    }
}
