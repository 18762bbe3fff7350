import HTTPArchive

/// A change that turns part of JSON-like text into strict JSON.
struct LenientEdit {
    let kind: RepairNote.Kind

    /// The missing closing bracket, or 0 for any other change.
    let bracket: UInt8

    /// The changed range in the text, which is empty for an insertion, or for a further reason to change the string
    /// that ends here.
    let start: UInt32
    var end: UInt32

    init(_ kind: RepairNote.Kind, _ range: Range<Int>, bracket: UInt8 = 0) {
        self.kind = kind
        self.bracket = bracket
        start = UInt32(range.lowerBound)
        end = UInt32(range.upperBound)
    }

    /// Returns the strict JSON that replaces the range.
    ///
    /// - Parameter text: The text that contains the range.
    /// - Returns: The replacement.
    func replacement(in text: UnsafeRawBufferPointer) -> [UInt8] {
        let old = text[from: Int(start), to: Int(end)]
        switch kind {
        case .comment, .whitespace: return [UInt8(ascii: " ")]
        case .missingComma: return [UInt8(ascii: ",")]
        case .missingBracket: return [bracket]
        case .missingValue, .nonFiniteNumber: return Array("null".utf8)
        case .unquotedName, .unquotedText: return [UInt8(ascii: "\"")] + old + [UInt8(ascii: "\"")]
        case .quotes, .controlCharacter, .escape:
            // The prefix of a string of Python is removed.
            return LenientString.quote(in: old, at: 0) == nil ? [] : LenientString.strict(old)
        case .concatenation: return LenientString.joined(old)
        case .number: return LenientNumber.strict(old) ?? Array("null".utf8)
        case .literal: return LenientWord(old)?.strict ?? Array("null".utf8)
        // An extra comma, or the text around the argument of a call.
        default: return []
        }
    }
}

/// Strict JSON made from JSON-like text.
struct LenientText {
    /// The strict JSON.
    let bytes: [UInt8]

    /// The changes, in the order of the text.
    let edits: [LenientEdit]

    /// The offset in the strict JSON after each change.
    private let ends: [UInt32]

    /// Applies changes to text.
    init(_ text: UnsafeRawBufferPointer, _ edits: [LenientEdit]) {
        self.edits = edits
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var ends: [UInt32] = []
        ends.reserveCapacity(edits.count)
        var copied = 0
        for edit in edits {
            bytes += text[from: copied, to: max(copied, Int(edit.start))]
            bytes += edit.replacement(in: text)
            copied = max(copied, Int(edit.end))
            ends.append(UInt32(clamping: bytes.count))
        }
        bytes += text[from: copied]
        self.bytes = bytes
        self.ends = ends
    }

    /// Returns the offset in the original text for an offset in the strict JSON.
    func sourceOffset(of offset: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(ends[middle]) <= offset { low = middle + 1 } else { high = middle }
        }
        // The offset follows the edit before `low`.
        let after = low == 0 ? offset : Int(edits[low - 1].end) + offset - Int(ends[low - 1])
        return low < edits.count ? min(after, Int(edits[low].start)) : after
    }

    /// Returns the offset in the strict JSON at which a change begins or, for an insertion, ends.
    func offset(ofEdit index: Int) -> Int { max(0, Int(ends[index]) - 1) }
}
