import CJSONScan

/// Growing memory for the tokens of a value.
///
/// An array would check its capacity and its uniqueness for each token.
struct TokenBuffer: ~Copyable {
    /// The state of an object or array after a part of the text.
    enum Progress {
        /// The container continues after the part.
        case open

        /// The container ends at an offset.
        case complete(Int)

        /// A container that ends at an offset begins too deep.
        case tooDeep(Int)
    }

    private var memory: UnsafeMutableBufferPointer<JSONToken>

    /// The number of tokens.
    private(set) var count = 0

    /// The index of the opening token of the innermost container.
    ///
    /// Until a container ends, its opening token refers to the opening token of the container around it in the same way.
    private var innermost = TokenBuffer.none

    /// The index of no token.
    private static let none = UInt32.max

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: The expected number of tokens; 64 by default.
    init(capacity: Int = 64) { memory = .allocate(capacity: max(64, capacity)) }

    deinit { memory.deallocate() }

    /// Makes room for more tokens.
    private mutating func reserve(_ added: Int) {
        guard count + added > memory.count else { return }
        let larger = UnsafeMutableBufferPointer<JSONToken>.allocate(capacity: max(count + added, 2 * memory.count))
        _ = larger.moveInitialize(fromContentsOf: memory[..<count])
        memory.deallocate()
        memory = larger
    }

    /// Adds a scalar.
    mutating func append(_ token: JSONToken) {
        reserve(1)
        memory.initializeElement(at: count, to: token)
        count += 1
    }

    /// Begins an object or array with its opening token.
    mutating func begin(_ kind: JSONToken.Kind) {
        innermost = 0
        append(JSONToken(kind: kind, end: 1, next: Self.none))
    }

    /// Adds the tokens of an object or array until it ends.
    ///
    /// - Parameters:
    ///   - found: The tokens of a part of the text. The next one opens or continues the container.
    ///   - index: The index of the next token. It is changed to the index after the last added token.
    ///   - start: The offset of the part from the start of the container.
    ///   - depth: The number of open containers.
    ///   - maximumDepth: The maximum number of open containers.
    /// - Returns: Whether the container has ended.
    mutating func capture(
        _ found: UnsafeBufferPointer<json_token>, from index: inout Int, at start: Int, depth: inout Int,
        upTo maximumDepth: Int
    ) -> Progress {
        reserve(found.count - index)
        let memory = memory
        // The compiler keeps local variables in registers.
        var (count, innermost, level) = (count, innermost, depth)
        defer { (self.count, self.innermost, depth) = (count, innermost, level) }
        while index < found.count {
            let token = found[index]
            index &+= 1
            let end = start &+ Int(token.end)
            let kind = JSONToken.Kind(token)
            var captured = JSONToken(kind: kind, end: UInt32(truncatingIfNeeded: end), next: token.size)
            if kind == .object || kind == .array {
                level &+= 1
                guard level <= maximumDepth else { return .tooDeep(end) }
                captured.next = innermost
                innermost = UInt32(truncatingIfNeeded: count)
            }
            memory.initializeElement(at: count, to: captured)
            count &+= 1
            if kind == .close {
                level &-= 1
                let opening = Int(innermost)
                memory[count &- 1].next = innermost
                innermost = memory[opening].next
                memory[opening].next = UInt32(truncatingIfNeeded: count)
                if innermost == Self.none { return .complete(end) }
            }
        }
        return .open
    }

    mutating func removeAll() { count = 0 }

    /// The kind of the innermost open container, or nil if no container is open.
    var container: JSONToken.Kind? { innermost == Self.none ? nil : memory[Int(innermost)].kind }

    /// The last token, or nil if the buffer is empty.
    var last: JSONToken? { count > 0 ? memory[count - 1] : nil }

    /// The tokens.
    var all: [JSONToken] { [JSONToken](memory[..<count]) }
}
