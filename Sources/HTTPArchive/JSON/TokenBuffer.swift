/// Growing memory for the tokens of a value.
///
/// An array would check its capacity and its uniqueness for each token.
struct TokenBuffer: ~Copyable {
    private var memory = UnsafeMutableBufferPointer<JSONToken>.allocate(capacity: 64)

    /// The number of tokens.
    var count = 0

    deinit { memory.deallocate() }

    /// Makes room for more tokens, and for one more.
    ///
    /// - Parameter added: The number of tokens.
    /// - Returns: The memory of all tokens.
    @discardableResult
    mutating func reserve(_ added: Int) -> UnsafeMutableBufferPointer<JSONToken> {
        guard count + added >= memory.count else { return memory }
        let larger = UnsafeMutableBufferPointer<JSONToken>.allocate(capacity: max(count + added + 1, 2 * memory.count))
        _ = larger.moveInitialize(fromContentsOf: memory[..<count])
        memory.deallocate()
        memory = larger
        return memory
    }

    /// Adds a token, for which there must be room.
    mutating func append(_ token: JSONToken) {
        memory.initializeElement(at: count, to: token)
        count += 1
    }

    mutating func removeAll() { count = 0 }

    /// The last token, or nil if the buffer is empty.
    var last: JSONToken? { count > 0 ? memory[count - 1] : nil }

    /// The token at an index.
    subscript(index: Int) -> JSONToken { memory[index] }

    /// The tokens.
    var all: [JSONToken] { [JSONToken](memory[..<count]) }
}
