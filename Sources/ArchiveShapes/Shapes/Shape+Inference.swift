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
            let text = token.text.inside
            if strings.addKnown(text) { return }
            if Self.isPlaceholder(text) { placeholderCount += 1 } else { strings.add(text) }
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
        // A value begins with neither.
        case .key, .close: break
        }
    }

    /// Whether a string contains a placeholder of redaction, which can also replace other scalars.
    private static func isPlaceholder(_ text: UnsafeRawBufferPointer) -> Bool {
        // Few strings contain the first letter of a placeholder in uppercase.
        guard text.count >= 8, text.firstOffset(of: UInt8(ascii: "R")) != nil else { return false }
        return text.firstOffset(of: placeholder) != nil
    }

    private static let placeholder = Array("REDACTED".utf8)
}

extension Shape.Members {
    /// Adds an object, whose opening token was read.
    fileprivate mutating func add(_ walk: inout TokenWalk) {
        count += 1
        var expected = 0
        while !walk.isAtClose {
            let key = walk.next().text.inside
            withMember(key, at: &expected) { $0.add(&walk) }
        }
        _ = walk.next()
    }
}

extension Shape.Numbers {
    /// Adds a number.
    fileprivate mutating func add(_ text: UnsafeRawBufferPointer) {
        count += 1
        let isInteger = !text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        if !isInteger { fractionCount += 1 } else if text.count > 18 { largeCount += 1 }
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes between quotation marks.
    @inline(__always)
    fileprivate var inside: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: baseAddress.map { $0 + 1 }, count: count &- 2)
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
    var isAtClose: Bool {
        // Comparing the kinds would call a function of another module.
        if case .close = tokens[index].kind { true } else { false }
    }

    /// Whether a byte is whitespace, a comma or a colon.
    @inline(__always)
    private static func isGap(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x2C || byte == 0x3A || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Returns the next token and its text, which for an object or array is its bracket.
    @inline(__always)
    mutating func next() -> (kind: JSONToken.Kind, text: UnsafeRawBufferPointer) {
        var start = end
        while start < bytes.count, Self.isGap(bytes[start]) { start &+= 1 }
        let token = tokens[index]
        index += 1
        end = Int(token.end)
        return (token.kind, UnsafeRawBufferPointer(start: bytes.baseAddress.map { $0 + start }, count: end &- start))
    }
}
