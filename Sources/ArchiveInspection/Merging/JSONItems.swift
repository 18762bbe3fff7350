/// The members of an object or the elements of an array, as ranges of JSON text.
struct JSONItems {
    /// A member or an element.
    struct Item {
        /// The whitespace before the item.
        let lead: Range<Int>

        /// The name of a member with its quotation marks, or nil for an element.
        let name: Range<Int>?

        let value: Range<Int>

        /// The whitespace between the item and the comma that follows it.
        let tail: Range<Int>

        /// The range from the start of the name to the end of the value.
        var range: Range<Int> { (name ?? value).lowerBound..<value.upperBound }
    }

    private(set) var items: [Item] = []

    /// The whitespace before the closing bracket.
    private(set) var trail = 0..<0

    /// The offset after the closing bracket.
    private(set) var end = 0

    /// Finds the items of a container.
    ///
    /// The result is nil if no object or array begins at the offset, or if the text is invalid.
    ///
    /// - Parameters:
    ///   - text: Text that contains valid JSON.
    ///   - start: The offset of the container's opening bracket.
    /// - Complexity: O(*n*) in the size of the container.
    init?(in text: [UInt8], at start: Int) {
        guard start < text.count, Self.isOpening(text[start]) else { return nil }
        let isObject = text[start] == UInt8(ascii: "{")
        var position = start + 1
        while true {
            let lead = position..<Self.endOfWhitespace(in: text, from: position)
            guard lead.upperBound < text.count else { return nil }
            if Self.isClosing(text[lead.upperBound]) {
                trail = lead
                break
            }
            var name: Range<Int>?
            position = lead.upperBound
            if isObject {
                guard let end = Self.endOfValue(in: text, from: position) else { return nil }
                name = position..<end
                position = Self.endOfWhitespace(in: text, from: end)
                guard position < text.count, text[position] == UInt8(ascii: ":") else { return nil }
                position = Self.endOfWhitespace(in: text, from: position + 1)
            }
            guard let end = Self.endOfValue(in: text, from: position) else { return nil }
            let tail = end..<Self.endOfWhitespace(in: text, from: end)
            guard tail.upperBound < text.count else { return nil }
            let isLast = text[tail.upperBound] != UInt8(ascii: ",")
            items.append(Item(lead: lead, name: name, value: position..<end, tail: isLast ? end..<end : tail))
            position = isLast ? end : tail.upperBound + 1
        }
        end = trail.upperBound + 1
    }

    /// Returns the offset of the first byte that is not whitespace.
    static func endOfWhitespace(in text: [UInt8], from start: Int) -> Int {
        var position = start
        while position < text.count, text[position] == 0x20 || 0x09...0x0D ~= text[position] { position += 1 }
        return position
    }

    /// Returns the offset after a value, or nil if the value is not complete.
    private static func endOfValue(in text: [UInt8], from start: Int) -> Int? {
        var position = start
        var depth = 0
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                while position < text.count, text[position] != UInt8(ascii: "\"") {
                    position += text[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard position < text.count else { return nil }
                position += 1
                if depth == 0 { return position }
            } else if isOpening(byte) {
                depth += 1
                position += 1
            } else if isClosing(byte) {
                // A number or a name such as `null` ends before the bracket of its container.
                if depth == 0 { return position > start ? position : nil }
                depth -= 1
                position += 1
                if depth == 0 { return position }
            } else if depth == 0, byte == UInt8(ascii: ",") || byte == 0x20 || 0x09...0x0D ~= byte {
                return position > start ? position : nil
            } else {
                position += 1
            }
        }
        return nil
    }

    private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    private static func isClosing(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }
}
