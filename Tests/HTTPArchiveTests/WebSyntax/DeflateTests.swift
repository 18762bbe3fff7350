import Testing

@testable import HTTPArchive

@Suite(.limited) struct DeflateTests {
    @Test(arguments: [Deflate.Format.gzip, .zlib, .raw], [1, 100, 1 << 20])
    func `decompressing content larger than the limit fails`(format: Deflate.Format, size: Int) throws {
        let content = [UInt8](repeating: 0x61, count: size)
        let compressed = try #require(Deflate.deflated(content, format))
        #expect(try Deflate.inflated(compressed[...], format, sizeLimit: size) == content)
        let error = #expect(throws: HARError.self) {
            try Deflate.inflated(compressed[...], format, sizeLimit: size - 1)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `decompression never exceeds its budget`() throws {
        let compressed = try #require(Deflate.deflated([UInt8](repeating: 0x61, count: 1000), .gzip))
        var budget = 1500
        #expect(try CompressedBytes(compressed, mayBeRaw: false, budget: &budget) != nil)
        #expect(throws: HARError.self) { try CompressedBytes(compressed, mayBeRaw: false, budget: &budget) }
        #expect(budget == 0)
    }
}
