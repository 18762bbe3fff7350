/// Growing memory for the tokens of a value.
///
/// An array would check its capacity and its uniqueness for each token.
struct TokenBuffer: ~Copyable {
    private var memory = UnsafeMutableBufferPointer<JSONToken>.allocate(capacity: 64)
    private(set) var count = 0

    deinit { memory.deallocate() }

    /// Makes room for more tokens, and for one more.
    mutating func reserve(_ added: Int) {
        guard count + added >= memory.count else { return }
        let larger = UnsafeMutableBufferPointer<JSONToken>.allocate(capacity: max(count + added + 1, 2 * memory.count))
        _ = larger.moveInitialize(fromContentsOf: memory[..<count])
        memory.deallocate()
        memory = larger
    }

    /// Adds a token, for which there must be room.
    @inline(__always)
    mutating func append(_ token: JSONToken) {
        memory.initializeElement(at: count, to: token)
        count &+= 1
    }

    /// Notes that the last token is the end of the container whose opening token is at an index.
    @inline(__always)
    mutating func end(_ opening: Int) { memory[opening].next = UInt32(truncatingIfNeeded: count) }

    mutating func removeAll() { count = 0 }

    var last: JSONToken? { count > 0 ? memory[count - 1] : nil }

    subscript(index: Int) -> JSONToken { memory[index] }

    /// The tokens.
    var all: [JSONToken] { [JSONToken](memory[..<count]) }
}
