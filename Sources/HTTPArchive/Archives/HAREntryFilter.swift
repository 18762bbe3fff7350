public import Foundation

/// A filter that selects entries of an archive.
///
/// ```swift
/// let filter = HAREntryFilter.all(of: [.host("*.example.com"), .status(200...299), .failed.inverted])
/// ```
public struct HAREntryFilter: Sendable {
    private let condition: @Sendable (HAREntryFacts, Int) throws(HARError) -> Bool

    /// Creates a filter that calls a closure.
    ///
    /// - Parameter condition: A closure that returns whether to select an entry. Its second argument is the entry
    ///   index, from 0.
    public init(_ condition: @escaping @Sendable (_ entry: HAR.Entry, _ index: Int) -> Bool) {
        self.init { facts, index throws(HARError) in condition(try facts.entry, index) }
    }

    /// Returns a filter that examines the facts about each entry, which avoids reading most entries.
    ///
    /// - Parameter condition: A closure that returns whether to select an entry. Its second argument is the entry
    ///   index, from 0.
    /// - Returns: A filter.
    public static func facts(
        _ condition: @escaping @Sendable (_ facts: HAREntryFacts, _ index: Int) throws(HARError) -> Bool
    ) -> HAREntryFilter {
        HAREntryFilter(condition)
    }

    private init(_ condition: @escaping @Sendable (HAREntryFacts, Int) throws(HARError) -> Bool) {
        self.condition = condition
    }

    /// Returns whether the filter selects an entry.
    ///
    /// - Parameters:
    ///   - facts: The facts about the entry.
    ///   - index: The index of the entry in the archive, from 0.
    /// - Returns: Whether the entry is selected.
    /// - Throws: The errors of ``HARArchive/entry(at:)``, if the entry has to be read.
    public func selects(_ facts: HAREntryFacts, at index: Int) throws(HARError) -> Bool { try condition(facts, index) }

    /// Returns whether the filter selects an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry in the archive, from 0.
    /// - Returns: Whether the entry is selected.
    public func selects(_ entry: HAR.Entry, at index: Int) -> Bool {
        // Reading cannot fail, because the entry is in memory.
        (try? selects(HAREntryFacts(of: entry), at: index)) ?? false
    }
}

extension HAREntryFilter {
    /// Returns a filter for entries that all of the filters select, or for every entry if there are no filters.
    ///
    /// - Parameter filters: The filters.
    /// - Returns: A filter.
    public static func all(of filters: [HAREntryFilter]) -> HAREntryFilter {
        facts { facts, index throws(HARError) in
            for filter in filters where try !filter.selects(facts, at: index) { return false }
            return true
        }
    }

    /// Returns a filter for entries that at least one of the filters selects, or for no entry if there are no filters.
    ///
    /// - Parameter filters: The filters.
    /// - Returns: A filter.
    public static func any(of filters: [HAREntryFilter]) -> HAREntryFilter {
        facts { facts, index throws(HARError) in
            for filter in filters where try filter.selects(facts, at: index) { return true }
            return false
        }
    }

    /// A filter for the entries that this filter does not select.
    public var inverted: HAREntryFilter {
        .facts { facts, index throws(HARError) in try !selects(facts, at: index) }
    }

    /// Returns a filter for entries whose host matches a pattern.
    ///
    /// - Parameter pattern: The host, ignoring case. Without a port, the pattern matches all ports. `*` matches any
    ///   characters.
    /// - Returns: A filter.
    public static func host(_ pattern: String) -> HAREntryFilter {
        let pattern = URLPattern(host: pattern)
        return facts { facts, _ in
            let url = LiteralURL(facts.url)
            return url.scheme != nil && !url.authority.isEmpty && pattern.matches(url)
        }
    }

    /// Returns a filter for entries whose URL matches a pattern.
    ///
    /// - Parameter pattern: The pattern, in the form `[scheme://][host][:port][/path][?query]`. It must match the
    ///   complete URL. If the scheme, host or port is omitted, any value matches. `*` matches any characters except `/`
    ///   and `?`. `**`, or `*` in the query, matches any characters. The fragment, the user information and differences
    ///   in percent-encoding are ignored. URLs without a host match patterns with their scheme, such as `data:**`.
    /// - Returns: A filter.
    public static func url(_ pattern: String) -> HAREntryFilter {
        let pattern = URLPattern(pattern)
        return facts { facts, _ in pattern.matches(facts.url) }
    }

    /// Returns a filter for entries whose request has a certain method.
    ///
    /// - Parameter method: The method, ignoring case.
    /// - Returns: A filter.
    public static func method(_ method: String) -> HAREntryFilter {
        let method = method.uppercased()
        return facts { facts, _ in facts.method.uppercased() == method }
    }

    /// Returns a filter for entries whose response has a status code in a range.
    ///
    /// - Parameter codes: The range of status codes.
    /// - Returns: A filter.
    public static func status(_ codes: ClosedRange<Int>) -> HAREntryFilter {
        facts { facts, _ in codes.contains(facts.status) }
    }

    /// Returns a filter for entries whose response has a media type that matches a pattern.
    ///
    /// - Parameter pattern: The type without parameters, ignoring case. `*` matches any characters, as in `image/*`.
    /// - Returns: A filter.
    public static func mediaType(_ pattern: String) -> HAREntryFilter {
        let pattern = WildcardPattern(pattern.lowercased(), separators: "")
        return facts { facts, _ throws(HARError) in try facts.mediaType.map { pattern.matches($0.essence) } ?? false }
    }

    /// Returns a filter for entries that started within a time span, excluding entries without a valid start time.
    ///
    /// - Parameter span: The time span, excluding its end.
    /// - Returns: A filter.
    public static func started(in span: Range<Date>) -> HAREntryFilter {
        facts { facts, _ in facts.startedDate.map(span.contains) ?? false }
    }

    /// Returns a filter for entries whose response body has a size in a range, excluding entries with an unknown size.
    ///
    /// - Parameter sizes: The range of sizes in bytes, after content codings are removed.
    /// - Returns: A filter.
    public static func bodySize(_ sizes: ClosedRange<Int>) -> HAREntryFilter {
        facts { facts, _ throws(HARError) in try facts.decodedBodySize.map(sizes.contains) ?? false }
    }

    /// Returns a filter for entries whose exchange took longer than a duration, excluding entries without a time.
    ///
    /// - Parameter time: The duration, in milliseconds.
    /// - Returns: A filter.
    public static func slower(than time: Double) -> HAREntryFilter {
        facts { facts, _ in (facts.time ?? 0) > time }
    }

    /// A filter for entries whose request failed; see ``HAR/Entry/failure``.
    public static let failed = facts { facts, _ in facts.isFailed }

    /// Returns a filter for entries with certain indices.
    ///
    /// - Parameter indices: The entry indices, from 0.
    /// - Returns: A filter.
    public static func indices(_ indices: ClosedRange<Int>) -> HAREntryFilter {
        facts { _, index in indices.contains(index) }
    }
}
