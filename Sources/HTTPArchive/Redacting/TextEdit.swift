/// A part of a text, and what is to stand there instead.
struct TextEdit {
    /// The bytes that go.
    var range: Range<Int>

    /// The bytes that come.
    var replacement: [UInt8]

    /// The edit in a longer text.
    func moved(by distance: Int) -> TextEdit {
        TextEdit(range: range.lowerBound + distance..<range.upperBound + distance, replacement: replacement)
    }
}

extension [TextEdit] {
    /// The edits in order; of those that overlap one takes the place of all, so that nothing of a secret is left.
    var inOrder: [TextEdit] {
        if count < 2 { return self }
        var edits: [TextEdit] = []
        // Where two begin at one place, the longer knows more.
        let sorted = sorted {
            ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
        }
        for edit in sorted {
            guard let last = edits.last, edit.range.lowerBound < last.range.upperBound else {
                edits.append(edit)
                continue
            }
            let end = Swift.max(last.range.upperBound, edit.range.upperBound)
            edits[edits.count - 1].range = last.range.lowerBound..<end
        }
        return edits
    }

    /// A text with the edits, which are in order.
    func applied(to text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 32 * count)
        var place = 0
        for edit in self {
            result.append(contentsOf: text[place..<edit.range.lowerBound])
            result += edit.replacement
            place = edit.range.upperBound
        }
        result.append(contentsOf: text[place...])
        return result
    }
}
