/// Where the parts of a JSON text end, which may be cut off, or no JSON at all.
enum JSONPlaces {
    /// The end of a string that begins with its quotation mark.
    static func stringEnd(in text: UnsafeRawBufferPointer, from quote: Int) -> (end: Int, hasEscape: Bool) {
        var place = quote + 1
        var hasEscape = false
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\""): return (place + 1, hasEscape)
            case UInt8(ascii: "\\"):
                hasEscape = true
                place += 2
            default: place += 1
            }
        }
        return (text.count, hasEscape)
    }

    /// The end of a number or a word.
    static func wordEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start + 1
        let endsWord = endsWord
        while place < text.count, !endsWord[Int(text[place])] { place += 1 }
        return place
    }

    private static let endsWord: [Bool] = (0...255).map { (byte: UInt8) in
        byte.isBlank || "\"{}[],:".utf8.contains(byte)
    }

    /// The place after the bracket that closes the first one.
    static func containerEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        var depth = 0
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\""):
                place = stringEnd(in: text, from: place).end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place + 1 }
            default: break
            }
            place += 1
        }
        return text.count
    }

    /// The first place that is no white space.
    static func skipBlanks(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place < text.count, text[place].isBlank { place += 1 }
        return place
    }

    /// What a string stands for; one that is too long for a name is not read to its end.
    static func string(
        in text: UnsafeRawBufferPointer, from quote: Int, to end: Int, hasEscape: Bool
    ) -> String {
        let isClosed = end > quote + 1 && text[end - 1] == UInt8(ascii: "\"")
        let stop = min(max(quote + 1, isClosed ? end - 1 : end), quote + 2048)
        let inside = text[from: quote + 1, to: stop]
        return hasEscape
            ? String(decoding: DecodedText(json: inside).bytes, as: UTF8.self) : String(decoding: inside, as: UTF8.self)
    }
}
