import Foundation
import HTTPArchive

/// A member or an element in one version of a list that is merged.
struct MergedItem {
    /// The content of a list, which decides how its items are identified.
    enum Kind {
        case members
        case pages
        case entries
    }

    /// The text of the item; for a member, from the start of its name to the end of its value.
    private(set) var text: ArraySlice<UInt8>

    /// The whitespace before the item.
    let lead: ArraySlice<UInt8>

    /// The whitespace between the item and the comma that follows it.
    let tail: ArraySlice<UInt8>

    /// The name of a member as written, without quotation marks; empty for an element.
    let name: String

    /// The offset of the value in its version.
    private(set) var valueOffset: Int

    /// Creates an item of a version.
    init(_ item: JSONItems.Item, in version: [UInt8]) {
        text = version[item.range]
        lead = version[item.lead]
        tail = version[item.tail]
        name = item.name.map { String(decoding: version[$0].dropFirst().dropLast(), as: UTF8.self) } ?? ""
        valueOffset = item.value.lowerBound
    }

    /// Returns the element with other text in a range, which is relative to the start of its text.
    func replacing(_ range: Range<Int>, with replacement: Data) -> MergedItem {
        var item = self
        item.text = Array(text.prefix(range.lowerBound) + replacement + text.dropFirst(range.upperBound))[...]
        item.valueOffset = 0
        return item
    }

    /// The value, or nil for a value that is too large or too deep.
    var value: JSONValue? { try? JSONValue(parsing: Data(text.suffix(from: valueOffset))) }

    /// Whether two items have the same value, regardless of its format.
    func isEquivalent(to other: MergedItem) -> Bool {
        if TextKey(text) == TextKey(other.text) { return true }
        guard let value, let otherValue = other.value else { return false }
        return value.canonicalText() == otherValue.canonicalText()
    }

    /// The start time of an entry or a page, or nil if it is missing or invalid.
    var time: Date? { HAR.Entry(fields: value?.object ?? [:]).startedDate }

    /// The method and the URL of an entry, or the identifier of a page, for messages; nil for a value of another type.
    func label(_ kind: Kind) -> String? {
        guard let object = value?.object else { return nil }
        if kind == .pages { return "page \(object["id"]?.text ?? "")" }
        let request = HAR.Entry(fields: object).request
        return "\(request.method) \(MessageRedactor.standard.url(request.url))"
    }

    /// The keys by which two versions of an item are recognized, the most specific one first.
    func keys(_ kind: Kind) -> [String] {
        if kind == .members { return [name] }
        guard let value else { return [] }
        let text = "=" + String(decoding: value.canonicalText(), as: UTF8.self)
        guard let object = value.object else { return [text] }
        if kind == .pages { return [text, object["id"]?.text ?? text] }
        let request = HAR.Entry(fields: object).request
        let body = request.fields["postData"].map { String(decoding: $0.canonicalText(), as: UTF8.self) } ?? ""
        let message = [request.method, request.url, body].joined(separator: "\n")
        return [text, (object["startedDateTime"]?.text ?? "") + "\n" + message, message]
    }
}

/// Text that is hashed and compared by its bytes.
struct TextKey: Hashable {
    private let text: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
    }

    static func == (first: Self, second: Self) -> Bool {
        first.text.withUnsafeBytes { first in second.text.withUnsafeBytes { first.isEqual(to: $0) } }
    }

    func hash(into hasher: inout Hasher) { text.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension [MergedItem] {
    /// Pairs the items of two versions of a list.
    ///
    /// Items with the same text are paired first, in order, and then those with the same keys.
    ///
    /// - Parameters:
    ///   - other: The other version.
    ///   - kind: The content of the list.
    ///   - levels: The number of keys to use; all by default.
    /// - Returns: The index in the other version for each item, or nil for an item that only this version has.
    func paired(with other: [MergedItem], _ kind: MergedItem.Kind, levels: Int = .max) -> [Int?] {
        var pairs = [Int?](repeating: nil, count: count)
        var rest = other.indices.map(\.self)
        func take<Key: Hashable>(by key: (MergedItem) -> Key?) {
            var indices: [Key: ArraySlice<Int>] = [:]
            for index in rest { if let key = key(other[index]) { indices[key, default: []].append(index) } }
            for index in self.indices where pairs[index] == nil {
                guard let key = key(self[index]) else { continue }
                pairs[index] = indices[key]?.popFirst()
            }
            let taken = Set(pairs.compactMap(\.self))
            rest.removeAll(where: taken.contains)
        }
        take { TextKey($0.text) }
        for level in 0..<Swift.min(levels, 3) where !rest.isEmpty && pairs.contains(nil) {
            take { item in
                let keys = item.keys(kind)
                return level < keys.count ? keys[level] : nil
            }
        }
        return pairs
    }
}
