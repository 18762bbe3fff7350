import HTTPArchive

extension Shape {
    /// Adds a parsed value.
    ///
    /// - Parameter node: The value.
    mutating func add(_ node: JSONNode) {
        let start = node.range.lowerBound
        node.source.bytes.withUnsafeBytes { bytes in
            node.source.tokens.withUnsafeBufferPointer { tokens in
                var walk = TokenWalk(bytes: bytes, tokens: tokens, index: node.index, end: start)
                add(&walk)
            }
        }
    }

    /// Adds the next value of a walk.
    private mutating func add(_ walk: inout TokenWalk) {
        let token = walk.next()
        switch token.kind {
        case .null: nullCount += 1
        case .true, .false: booleanCount += 1
        case .number: numbers.add(token.text)
        case .string:
            let text = token.text[1..<token.text.count - 1]
            if Self.isPlaceholder(text) { placeholderCount += 1 } else { strings.add(.init(rebasing: text)) }
        case .array:
            arrayCount += 1
            if walk.isAtClose {
                _ = walk.next()
                return
            }
            if elements.isEmpty { elements = [Shape()] }
            while !walk.isAtClose { elements[0].add(&walk) }
            _ = walk.next()
        case .object:
            if objects == nil { objects = Members() }
            objects?.add(&walk)
        case .key, .close: preconditionFailure("A value begins with neither.")
        }
    }

    /// Whether a string contains a placeholder of redaction, which can also replace other scalars.
    private static func isPlaceholder(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        // Few strings contain the first letter of a placeholder in uppercase, followed by the next one.
        guard text.count >= 8, text.contains(UInt8(ascii: "R")) else { return false }
        return UnsafeRawBufferPointer(rebasing: text).firstOffset(of: placeholder) != nil
    }

    private static let placeholder = Array("REDACTED".utf8)
}

extension Shape.Members {
    /// Adds an object, whose opening token was read.
    fileprivate mutating func add(_ walk: inout TokenWalk) {
        count += 1
        var expected = 0
        while !walk.isAtClose {
            let key = walk.next().text
            withMember(.init(rebasing: key[1..<key.count - 1]), at: &expected) { $0.add(&walk) }
        }
        _ = walk.next()
    }
}

extension Shape.Numbers {
    /// Adds a number.
    fileprivate mutating func add(_ text: UnsafeRawBufferPointer) {
        count += 1
        var isInteger = true
        for byte in text where byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") { isInteger = false }
        if !isInteger { fractionCount += 1 } else if text.count > 18 { largeCount += 1 }
    }
}

/// A position in the tokens of a value.
private struct TokenWalk {
    let bytes: UnsafeRawBufferPointer
    let tokens: UnsafeBufferPointer<JSONToken>

    /// The index of the next token.
    var index: Int

    /// The end of the last token.
    var end: Int

    /// Whether the next token closes an object or array.
    @inline(__always)
    var isAtClose: Bool { tokens[index].kind == .close }

    /// Returns the next token and its text, which for an object or array is its bracket.
    @inline(__always)
    mutating func next() -> (kind: JSONToken.Kind, text: UnsafeRawBufferPointer) {
        var start = end
        while start < bytes.count, JSONText.isGap(bytes[start]) { start += 1 }
        let token = tokens[index]
        index += 1
        end = Int(token.end)
        return (token.kind, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
}
