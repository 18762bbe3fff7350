import Testing

@testable import HTTPArchive

@Suite(.limited) struct ContentHashTests {
    private func hash(_ parts: [UInt8]...) -> UInt64 {
        var hash = ContentHash()
        for part in parts { part.withUnsafeBytes { hash.add($0) } }
        return hash.value
    }

    @Test func `every byte, its offset, and the length affect the hash`() {
        var hashes: Set<UInt64> = []
        var count = 0
        for size in 0..<100 {
            for place in 0..<max(1, size) {
                for value: UInt8 in [0, 1, 0x80] where value != 0 || place == 0 {
                    var bytes = [UInt8](repeating: 0, count: size)
                    if size > 0 { bytes[place] = value } else if value != 0 { continue }
                    hashes.insert(hash(bytes))
                    count += 1
                }
            }
        }
        #expect(hashes.count == count)
    }

    @Test func `whole blocks can be hashed separately`() {
        let bytes = (0..<160).map { UInt8($0) }
        #expect(hash(Array(bytes[..<32]), Array(bytes[32..<96]), Array(bytes[96...])) == hash(bytes))
    }

    @Test func `the hash is the same on every platform`() {
        #expect(hash(Array("HARINDEX".utf8)) == 10_628_075_732_219_002_354)
    }
}
