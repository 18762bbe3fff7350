import Foundation
import HTTPArchive
import Testing

/// Tests that the error for a file in another format names the format.
@Suite(.limited) struct InputKindTests {
    private static let tar = Data("capture.har".utf8) + Data(count: 246) + Data("ustar".utf8) + Data(count: 250)

    /// The start of a Brotli stream, which begins like an array in JSON.
    private static let brotli = Data([0x5B, 0xE2, 0x5C, 0x00, 0x20, 0x87, 0x91, 0xE6, 0x05, 0xFF, 0x0B])

    private static let inputs: [(Data, String)] = [
        (Data([0x78, 0x9C, 0xED, 0xBD]), "compressed with zlib"),
        (Data([0x78, 0x01, 0xED, 0xBD]), "compressed with zlib"),
        (Data([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]), "7z archive"), (tar, "tar archive"),
        (brotli, "binary data. If the file is compressed with Brotli"), (Data("[{}]".utf8), "found an array"),
        (Data("[\"\u{E4}\u{65E5}\u{672C}".utf8).dropLast(), "found an array"),
        (Data("<html>".utf8), "found HTML or XML"),
        (Data([0, 1, 2, 3]), "found binary data"), (Data([0x5D, 0, 0, 0x80]), "found binary data"),
        (Data(count: 600), "found binary data"), (Data([0x41, 0, 1, 0]), "found binary data"),
        (Data([0x7B, 0, 0x22, 0]), "found UTF-16."), (Data([0, 0x20, 0, 0x7B]), "found UTF-16."),
        (Data([0xFF, 0xFE, 0x7B, 0]), "found UTF-16."), (Data([0xFE, 0xFF, 0, 0x7B]), "found UTF-16."),
        (Data([0x7B, 0, 0, 0, 0x22, 0, 0, 0]), "found UTF-32."), (Data([0xFF, 0xFE, 0, 0, 0x7B]), "found UTF-32."),
    ]

    @Test(arguments: inputs)
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
