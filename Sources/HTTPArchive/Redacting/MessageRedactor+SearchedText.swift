package import Foundation

extension MessageRedactor {
    /// The locations of the secrets in a text, for messages that contain parts of it.
    ///
    /// A part of a text can be safe to show only if the whole text was searched: a private key extends over many lines,
    /// and a line can contain the value that is named in the line before.
    package struct SearchedText: Sendable {
        fileprivate let edits: [TextEdit]

        /// Returns a part of the text with its secrets replaced.
        ///
        /// - Parameters:
        ///   - range: The range of the part, in bytes.
        ///   - text: The text.
        /// - Returns: The part. Of a secret that extends beyond the part, the rest is replaced.
        /// - Complexity: O(*n* + log *m*), where *n* is the length of the part and *m* is the number of secrets.
        package func part(_ range: Range<Int>, of text: UnsafeRawBufferPointer) -> String {
            let bytes = text[rebasing: range]
            var first = edits.partitioningIndex { $0.range.upperBound > range.lowerBound }
            var inside: [TextEdit] = []
            while first < edits.count, edits[first].range.lowerBound < range.upperBound {
                let clamped = edits[first].range.clamped(to: range)
                inside.append(
                    TextEdit(
                        range: clamped.lowerBound - range.lowerBound..<clamped.upperBound - range.lowerBound,
                        replacement: edits[first].replacement))
                first += 1
            }
            return String(decoding: inside.isEmpty ? Array(bytes) : inside.applied(to: bytes), as: UTF8.self)
        }
    }

    /// Searches a text for secrets.
    ///
    /// - Parameters:
    ///   - text: The text, in UTF-8.
    ///   - mediaType: The value of `Content-Type`, or nil if it is unknown.
    /// - Returns: The locations of the secrets, and a redactor that also replaces these secrets elsewhere.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package func searching(_ text: Data, mediaType: String?) -> (text: SearchedText, redactor: MessageRedactor) {
        var pass = Redaction(redactor.rules)
        let edits = text.withUnsafeBytes { bytes in pass.limited(bytes) { $0.bodyEdits(in: $1, as: mediaType) } }
        return (SearchedText(edits: edits), union(pass.learned))
    }
}

extension [TextEdit] {
    /// Returns the index of the first element that satisfies a condition, which all following elements satisfy, too.
    fileprivate func partitioningIndex(where condition: (TextEdit) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
