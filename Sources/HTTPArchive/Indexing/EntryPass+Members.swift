/// The members of the objects that fields are picked from: keys, strings and scalars.
extension EntryPass {
    /// Takes the quotation mark that begins a string; `false` where none may stand.
    @inline(__always)
    mutating func beginString(at place: Int, in window: TextWindow) -> Bool {
        guard depth > 0 else { return false }
        isValue = false
        if keyEnd != Self.nowhere {
            if isColon(keyEnd..<place, in: window) {
                isValue = true
            } else {
                let between = TextWindow.trimmed(window[keyEnd..<place])
                guard between.last == UInt8(ascii: ","), takeScalar(between[from: 0, to: between.count - 1]) else {
                    return false
                }
            }
        }
        stringStart = place
        return true
    }

    /// Takes the quotation mark that ends a string: a key, or the value of one.
    ///
    /// - Parameters:
    ///   - place: The place of the mark.
    ///   - mayHaveEscapes: Whether backslashes are to be looked for.
    ///   - window: The text.
    /// - Returns: `false` when the text is not understood.
    @inline(__always)
    mutating func endString(at place: Int, mayHaveEscapes: Bool, in window: TextWindow) -> Bool {
        guard stringStart != Self.nowhere else { return false }
        let start = stringStart &+ 1
        stringStart = Self.nowhere
        if isValue {
            keyEnd = Self.nowhere
            if field == .other { return true }
            defer { field = .other }
            return entries.draft.take(field, string: window[start..<place])
        }
        keyEnd = place &+ 1
        let name = window[start..<place]
        if mayHaveEscapes, name.firstPlace(of: UInt8(ascii: "\\")) != nil {
            return FieldText.decode(name) { field = .named($0, in: object) }
        }
        field = .named(name, in: object)
        return true
    }

    /// Takes what stands behind a key up to the next one or to the end of the object: a colon and a scalar.
    mutating func takeScalar(_ text: UnsafeRawBufferPointer) -> Bool {
        let text = TextWindow.trimmed(text)
        guard text.first == UInt8(ascii: ":") else { return false }
        if field != .other { entries.draft.take(field, scalar: TextWindow.trimmed(text[from: 1])) }
        field = .other
        keyEnd = Self.nowhere
        return true
    }

    /// Whether there is a colon, and white space at most; it is nearly always the colon alone, or with a space.
    @inline(__always)
    func isColon(_ places: Range<Int>, in window: TextWindow) -> Bool {
        if window[places.lowerBound] == UInt8(ascii: ":") {
            if places.count == 1 { return true }
            if places.count == 2, window[places.lowerBound &+ 1] == UInt8(ascii: " ") { return true }
        }
        let text = TextWindow.trimmed(window[places])
        return text.count == 1 && text[0] == UInt8(ascii: ":")
    }
}
