package import Foundation

/// The `application/x-www-form-urlencoded` encoding of forms and queries
/// (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
package enum FormEncoding {
    /// A decoded name and value.
    package typealias Item = (name: String, value: String)

    /// The handling of names and values that are not valid UTF-8 after decoding.
    package enum InvalidText: Sendable {
        /// Replaces invalid bytes with U+FFFD, as browsers do.
        case repaired

        /// Leaves the name or value encoded, as other tools do in archives.
        case unchanged
    }

    // MARK: Parsing

    /// Decodes the names and values of a form, in order.
    ///
    /// - Parameters:
    ///   - text: The encoded items, separated by `&`. Empty items are skipped.
    ///   - invalidText: The handling of names and values that are not valid UTF-8.
    /// - Returns: The items. An item without an equals sign has an empty value.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package static func items(of text: UnsafeRawBufferPointer, invalidText: InvalidText) -> [Item] {
        FormItemRanges(text).map { item in
            (
                decoded(text[rebasing: item.name], invalidText),
                decoded(text[rebasing: item.value], invalidText)
            )
        }
    }

    /// Decodes the names and values of a form, in order.
    ///
    /// - Parameters:
    ///   - text: The encoded items, separated by `&`. Empty items are skipped.
    ///   - invalidText: The handling of names and values that are not valid UTF-8.
    /// - Returns: The items. An item without an equals sign has an empty value.
    package static func items(of text: Substring, invalidText: InvalidText) -> [Item] {
        text.withUTF8Bytes { items(of: $0, invalidText: invalidText) }
    }

    /// Returns the items of a form without decoding them.
    ///
    /// - Parameter text: The encoded items, separated by `&`.
    /// - Returns: The non-empty items, such as `name=value`.
    package static func literalItems(of text: Substring) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { Substring($0) }
    }

    /// Splits an item at its equals sign, without decoding it.
    ///
    /// - Parameter item: An item from ``literalItems(of:)``.
    /// - Returns: The name and the value. The value is empty if there is no equals sign.
    package static func literalParts(of item: Substring) -> (name: Substring, value: Substring) {
        let name = item.utf8.prefix { $0 != UInt8(ascii: "=") }
        return (Substring(name), Substring(item.utf8[name.endIndex...].dropFirst()))
    }

    /// Decodes the name of an item, replacing invalid UTF-8 with U+FFFD.
    ///
    /// - Parameter item: An item from ``literalItems(of:)``.
    /// - Returns: The name.
    package static func name(of item: Substring) -> String {
        PercentEncoding.decoded(literalParts(of: item).name.utf8, plusIsSpace: true)
    }

    private static func decoded(_ text: UnsafeRawBufferPointer, _ invalidText: InvalidText) -> String {
        let bytes = PercentEncoding.bytes(of: text, plusIsSpace: true)
        switch invalidText {
        case .repaired: return String(decoding: bytes, as: UTF8.self)
        case .unchanged: return String(validating: bytes, as: UTF8.self) ?? String(decoding: text, as: UTF8.self)
        }
    }

    // MARK: Writing

    /// Encodes the items of a form as a request body.
    ///
    /// - Parameter items: The names and values. The value is `nil` for an item without an equals sign.
    /// - Returns: The items, joined by `&`. Spaces are encoded as `+`.
    package static func body(_ items: [(name: String, value: String?)]) -> Data {
        let text = joined(items) { PercentEncoding.encoded($0, keeping: formWithSpace) }
        return Data(text.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 })
    }

    /// Encodes items as the query of a URL.
    ///
    /// All characters except unreserved characters are encoded. Spaces become `%20`, which servers decode in every part
    /// of a URL.
    ///
    /// - Parameter items: The names and values.
    /// - Returns: The items, joined by `&`.
    package static func query(_ items: [Item]) -> String {
        joined(items.map { ($0.name, $0.value) }) { PercentEncoding.encoded($0, keeping: .unreserved) }
    }

    private static let formWithSpace = ByteSet.form.union(" ")

    private static func joined(
        _ items: [(name: String, value: String?)], _ encoded: (String) -> String
    ) -> String {
        items.map { encoded($0.name) + ($0.value.map { "=" + encoded($0) } ?? "") }.joined(separator: "&")
    }
}

/// The items of a form as byte ranges, in order.
///
/// Empty items are skipped. Any text can be split. The ranges of the items and the delimiters between them cover the
/// whole text.
package struct FormItemRanges: Sequence, IteratorProtocol {
    /// The ranges of an item in the text, before decoding.
    package struct Item {
        /// The name, or an empty range if the item begins with an equals sign.
        package let name: Range<Int>

        /// The value after the first equals sign, or an empty range if there is no equals sign.
        package let value: Range<Int>

        /// The whole item.
        package var range: Range<Int> { name.lowerBound..<value.upperBound }
    }

    private let text: UnsafeRawBufferPointer
    private var offset = 0

    /// Creates an iterator.
    ///
    /// - Parameter text: The text, which must outlive the iterator.
    package init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// Returns the next item, or `nil` at the end of the text.
    package mutating func next() -> Item? {
        while offset < text.count {
            let rest = text[from: offset]
            let count = rest.firstOffset(of: UInt8(ascii: "&")) ?? rest.count
            let start = offset
            offset += count + 1
            if count == 0 { continue }
            let nameCount = text[from: start, to: start + count].firstOffset(of: UInt8(ascii: "="))
            let nameEnd = start + (nameCount ?? count)
            return Item(name: start..<nameEnd, value: nameEnd + (nameCount == nil ? 0 : 1)..<start + count)
        }
        return nil
    }
}
