import ArgumentParser
import EntryConditions
import HTTPArchive

/// The filter that a user types: words that must all hold.
///
/// A word is a condition of `har entries`, such as `status:5xx`, or a text in the URL. A hyphen before a word excludes
/// the entries that it selects.
struct EntryFilter: Sendable {
    /// A condition on the summary of an entry, or on the entry.
    private struct Condition: Sendable {
        let isExcluded: Bool
        let selects: @Sendable (any ViewedEntries, Int) throws(HARError) -> Bool
    }

    /// A text in the URL.
    private struct URLText: Sendable {
        let isExcluded: Bool

        /// The lowercase text.
        let bytes: [UInt8]

        /// Returns whether a URL satisfies the condition.
        func isIncluded(in url: UnsafeRawBufferPointer) -> Bool { contains(in: url) != isExcluded }

        private func contains(in url: UnsafeRawBufferPointer) -> Bool {
            guard let first = bytes.first, url.count >= bytes.count else { return bytes.isEmpty }
            return bytes.withUnsafeBytes { bytes in
                for start in 0...(url.count - bytes.count) where url[start].asciiLowercased == first {
                    var length = 1
                    while length < bytes.count, url[start + length].asciiLowercased == bytes[length] { length += 1 }
                    if length == bytes.count { return true }
                }
                return false
            }
        }
    }

    private var conditions: [Condition] = []
    private var texts: [URLText] = []

    /// The names of the conditions with an explanation, and common values.
    static let names: [(name: String, help: String, values: [String])] = [
        ("host", "A host, such as *.example.com", []), ("url", "A pattern for the whole URL", []),
        ("method", "A request method", EntryConditions.methods),
        ("status", "A status, such as 404, 200-299 or 5xx", ["2xx", "3xx", "4xx", "5xx"]),
        ("type", "The media type of the response, such as image/*", MediaTypeNames.all),
        ("page", "The identifier of a page", []), ("resource", "The resource type that a browser recorded", []),
        ("is", "A property", ["failed", "cached"]),
        ("slower-than", "The minimum time, such as 500ms or 2s", ["500ms", "1s", "5s"]),
        ("min-size", "The minimum size of the response body", ["10kB", "100kB", "1MB"]),
        ("max-size", "The maximum size of the response body", []),
        ("since", "The earliest start time", []), ("until", "The latest start time, exclusive", []),
    ]

    /// Parses a filter.
    ///
    /// - Parameter text: The words, separated by spaces. Quotation marks preserve spaces.
    /// - Throws: An error that contains the invalid word.
    init(_ text: String) throws(ViewError) {
        for word in Self.words(of: text) {
            let isExcluded = word.hasPrefix("-") && word.count > 1
            let word = isExcluded ? String(word.dropFirst()) : word
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.names.contains(where: { $0.name == parts[0] }) else {
                texts.append(URLText(isExcluded: isExcluded, bytes: word.utf8.map(\.asciiLowercased)))
                continue
            }
            // The name alone is not an error while the user is typing.
            if parts[1].isEmpty { continue }
            let selects = try Self.condition(String(parts[0]), String(parts[1]), word: word)
            conditions.append(Condition(isExcluded: isExcluded, selects: selects))
        }
    }

    /// Whether the filter selects all entries.
    var isEmpty: Bool { conditions.isEmpty && texts.isEmpty }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                words.append(word)
                word = ""
            } else {
                word.append(character)
            }
        }
        return (words + [word]).filter { !$0.isEmpty }
    }

    private static func condition(
        _ name: String, _ value: String, word: String
    ) throws(ViewError) -> @Sendable (any ViewedEntries, Int) throws(HARError) -> Bool {
        let values = Set(value.split(separator: ",").map(String.init))
        switch name {
        case "page": return { entries, index in values.contains(entries.summary(at: index).pageref ?? "") }
        case "resource": return { entries, index in values.contains(entries.summary(at: index).resourceType ?? "") }
        case "is" where value == "failed": return { entries, index in entries.summary(at: index).isFailed }
        case "is" where value == "cached": return { entries, index in entries.summary(at: index).isFromCache }
        default: break
        }
        guard name != "is", let parsed = try? EntryConditions.parse(["--\(name)", value]) else {
            let help = names.first { $0.name == name }?.help ?? ""
            throw ViewError(400, "'\(value)' is not a valid value of \(name). \(help).", word: word)
        }
        let filter = HAREntryFilter.all(of: parsed.alternatives.map(HAREntryFilter.any))
        return { entries, index throws(HARError) in try filter.selects(entries.facts(at: index), at: index) }
    }

    /// Returns the indices of the selected entries, in ascending order.
    ///
    /// - Parameter entries: The entries.
    /// - Returns: The indices.
    /// - Throws: An error if an entry that a condition examines cannot be read.
    /// - Complexity: O(*n*) in the length of all URLs if the filter contains only texts.
    func indices(in entries: any ViewedEntries) throws(ViewError) -> [UInt32] {
        var indices: [UInt32] = []
        if texts.isEmpty {
            indices = Array(0..<UInt32(clamping: entries.count))
        } else {
            entries.forEachURL(in: 0..<entries.count) { index, url in
                if texts.allSatisfy({ $0.isIncluded(in: url) }) { indices.append(UInt32(clamping: index)) }
            }
        }
        if conditions.isEmpty { return indices }
        do throws(HARError) {
            var selected: [UInt32] = []
            for index in indices where try isSelected(Int(index), in: entries) { selected.append(index) }
            return selected
        } catch {
            throw ViewError(error)
        }
    }

    private func isSelected(_ index: Int, in entries: any ViewedEntries) throws(HARError) -> Bool {
        for condition in conditions where try condition.selects(entries, index) == condition.isExcluded { return false }
        return true
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
