/// A pattern in which `*` matches any characters except separators, and `**` matches any characters.
package struct WildcardPattern: Hashable, Sendable {
    private enum Element: Hashable {
        case byte(UInt8)
        case wildcard(crossesParts: Bool)
    }

    private let elements: [Element]
    private let separators: [UInt8]

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern.
    ///   - separators: The ASCII separators. If the string is empty, `*` and `**` are equivalent.
    package init(_ text: String, separators: String) {
        self.separators = Array(separators.utf8)
        var elements: [Element] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            let stars = rest.prefix { $0 == UInt8(ascii: "*") }.count
            elements.append(stars == 0 ? .byte(byte) : .wildcard(crossesParts: stars > 1))
            rest = rest.dropFirst(max(1, stars))
        }
        self.elements = elements
    }

    /// Returns whether the pattern matches an entire string.
    ///
    /// - Parameter text: The string.
    /// - Returns: Whether it matches. The comparison is case-sensitive.
    /// - Complexity: O(*n*) for common patterns and O(*n* · *m*) in the worst case, where *n* is the length of the
    ///   string and *m* is the length of the pattern.
    package func matches(_ text: some StringProtocol) -> Bool {
        Substring(text).withUTF8Bytes { matches($0) }
    }

    /// Tries the shortest match for each wildcard first.
    ///
    /// Only the last wildcard of each kind needs backtracking, because it can match any additional text that an earlier
    /// wildcard could match.
    private func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        var index = 0
        var inPart: (index: Int, end: Int)?
        var acrossParts: (index: Int, end: Int)?
        while true {
            if index == elements.count {
                if position == text.count { return true }
            } else {
                switch elements[index] {
                case .wildcard(let crossesParts):
                    index += 1
                    inPart = crossesParts ? nil : (index, position)
                    if crossesParts { acrossParts = (index, position) }
                    continue
                case .byte(let byte):
                    if position < text.count, text[position] == byte {
                        position += 1
                        index += 1
                        continue
                    }
                }
            }
            if let (start, end) = inPart, end < text.count, !separators.contains(text[end]) {
                inPart = (start, end + 1)
                (index, position) = (start, end + 1)
            } else if let (start, end) = acrossParts, end < text.count {
                inPart = nil
                acrossParts = (start, end + 1)
                (index, position) = (start, end + 1)
            } else {
                return false
            }
        }
    }
}
