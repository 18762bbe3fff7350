import Foundation
import HTTPArchive
import Testing

/// Tests that the error for a file in another format names the format.
@Suite struct InputKindTests {
    private static let tar = Data("capture.har".utf8) + Data(count: 246) + Data("ustar".utf8) + Data(count: 250)

    /// The start of a Brotli stream, which begins like an array in JSON.
    private static let brotli = Data([0x5B, 0xE2, 0x5C, 0x00, 0x20, 0x87, 0x91, 0xE6, 0x05, 0xFF, 0x0B])

    @Test(arguments: [
        (Data([0x78, 0x9C, 0xED, 0xBD]), "compressed with zlib"),
        (Data([0x78, 0x01, 0xED, 0xBD]), "compressed with zlib"),
        (Data([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]), "7z archive"), (tar, "tar archive"),
        (brotli, "binary data. If the file is compressed with Brotli"), (Data("[{}]".utf8), "found an array"),
        (Data("[\"\u{E4}\u{65E5}\u{672C}".utf8).dropLast(), "found an array"),
        (Data("<html>".utf8), "found HTML or XML"),
    ])
    func `the error names the format`(data: Data, expected: String) throws {
        let error = #expect(throws: HARError.self) { _ = try HAR.Log(data: data) }
        #expect(error?.code == .notAnArchive)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["x = 1", "7zip", "xerox", "{\"log\": 1 \u{1}"])
    func `text that begins like a binary format is invalid JSON`(text: String) throws {
        let error = #expect(throws: HARError.self) { _ = try HAR.Log(data: Data(text.utf8)) }
        #expect(error?.message.contains("compressed") == false && error?.message.contains("binary") == false)
    }
}
