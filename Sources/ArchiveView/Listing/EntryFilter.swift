import EntryConditions
import HTTPArchive

/// The filter that a user types: words that must all hold.
///
/// A word is a condition, such as `status:5xx`, or a text in the URL. A hyphen before a word excludes
/// the entries that it selects.
struct EntryFilter: Sendable {
    private var filters: [HAREntryFilter] = []

    /// The texts in the URL, with lowercase ASCII letters.
    private var texts: [(text: [UInt8], isExcluded: Bool)] = []

    /// The conditions of `har entries`, and other conditions of the page.
    static let conditions =
        EntryCondition.all + [
            EntryCondition("page", "The identifier of a page."),
            EntryCondition("resource", "The resource type that a browser recorded."),
            EntryCondition("is", "A property: failed or cached.", ["failed", "cached"]),
        ]

    /// Parses a filter.
    ///
    /// - Parameter text: The words, separated by spaces. Quotation marks preserve spaces.
    /// - Throws: An error that contains the invalid word.
    init(_ text: String) throws(ViewError) {
        for word in Self.words(of: text) {
            let isExcluded = word.hasPrefix("-") && word.count > 1
            let word = isExcluded ? String(word.dropFirst()) : word
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let help = Self.conditions.first(where: { $0.name == parts[0] })?.help else {
                texts.append((word.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, isExcluded))
                continue
            }
            // The name alone is not an error while the user is typing.
            if parts[1].isEmpty { continue }
            guard let filter = Self.filter(parts[0], parts[1]) else {
                throw ViewError(400, "'\(parts[1])' is not a valid value of \(parts[0]). \(help)", word: word)
            }
            filters.append(isExcluded ? filter.inverted : filter)
        }
    }

    private static func words(of text: String) -> [String] {
        let words = text.matches(of: /(?:[^\s"]|"[^"]*"?)+/).map { String($0.output.replacing("\"", with: "")) }
        return words.filter { !$0.isEmpty }
    }

    /// Returns the filter of a condition, or nil if its value is invalid.
    private static func filter(_ name: String, _ value: String) -> HAREntryFilter? {
        let values = Set(value.split(separator: ",").map(String.init))
        switch (name, value) {
        case ("page", _): return .facts { facts, _ in values.contains(facts.pageref ?? "") }
        case ("resource", _): return .facts { facts, _ in values.contains(facts.resourceType ?? "") }
        case ("is", "failed"): return .failed
        case ("is", "cached"): return .facts { facts, _ in facts.isFromCache }
        case ("is", _): return nil
        default: return try? EntryConditions.filter(["--\(name)", value])
        }
    }

    /// Returns the indices of the selected entries, in ascending order.
    ///
    /// - Parameter archive: The archive.
    /// - Returns: The indices.
    /// - Throws: An error if an entry that a condition examines cannot be read.
    /// - Complexity: O(*n*) in the length of all URLs if the filter contains only texts.
    func indices(in archive: HARArchive) throws -> [UInt32] {
        var indices: [UInt32] = []
        if texts.isEmpty {
            indices = Array(0..<UInt32(clamping: archive.count))
        } else {
            archive.forEachURL(in: 0..<archive.count) { index, url in
                let isSelected = texts.allSatisfy { (url.firstOffset(ofLowercase: $0.text) != nil) != $0.isExcluded }
                if isSelected { indices.append(UInt32(clamping: index)) }
            }
        }
        if filters.isEmpty { return indices }
        let filter = HAREntryFilter.all(of: filters)
        return try indices.filter { try filter.selects(HAREntryFacts(of: archive, at: Int($0)), at: Int($0)) }
    }
}
