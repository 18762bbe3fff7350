/// Gathers the pieces of a long token before they are parsed.
///
/// yajl reads a token that is not complete again from its start with each piece: a large body that arrives in small
/// pieces would take time in proportion to the square of its size. So the pieces of a token are held until they double
/// it, or until it seems to end.
struct LongToken {
    /// A token below this size may be read again with each piece.
    private static let threshold = 1 << 16

    /// The pieces that wait.
    private(set) var held: [UInt8] = []

    /// Takes the next piece.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - size: The number of bytes that were parsed since the last token.
    /// - Returns: Whether to parse now what is ``held``, the piece included; `nil` when nothing is held, and the piece is
    ///   to be parsed as it is.
    mutating func takes(_ piece: UnsafeRawBufferPointer, afterTokenOf size: Int) -> Bool? {
        guard size >= Self.threshold else { return nil }
        let start = held.count
        held.append(contentsOf: piece)
        return held.count >= size || hasQuote(from: start)
    }

    /// Forgets what was held.
    mutating func removeAll() { held.removeAll() }

    /// Whether a quotation mark without a backslash stands behind `start`.
    private func hasQuote(from start: Int) -> Bool {
        held.withUnsafeBytes { bytes in
            bytes[start...].indices.contains { index in
                guard bytes[index] == UInt8(ascii: "\"") else { return false }
                let backslashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                // Backslashes up to the first byte may go on before it.
                return backslashes.isMultiple(of: 2) || backslashes == index
            }
        }
    }
}
