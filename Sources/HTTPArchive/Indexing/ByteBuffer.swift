/// Bytes that are collected and given away again and again, in memory that stays.
struct ByteBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int

    /// The number of bytes.
    private(set) var count = 0

    /// Creates a buffer without bytes.
    init(capacity: Int = 256) {
        memory = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit { memory.deallocate() }

    /// The bytes; they stay in place until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Forgets all bytes.
    mutating func removeAll() { count = 0 }

    /// Adds bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        if bytes.count > capacity &- count { grow(by: bytes.count) }
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    private mutating func grow(by added: Int) {
        capacity = max(2 * capacity, count + added)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}
