import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerBodyTests {
    private static let content = #"{"size": 6, "mimeType": "text/html", "text": "answer"}"#
    private static let pointer = "/log/entries/0/response/content"

    private static func checked(_ content: String) throws -> CheckedArchive {
        try CheckedArchive((Self.content, content))
    }

    @Test func `a body that was not captured is reported as a note`() throws {
        let content = #"{"size": 6, "mimeType": "text/html"}"#
        try Self.checked(content).expect(.bodyNotCaptured, .note, at: Self.pointer, over: content)
        try Self.checked(#"{"size": 0, "mimeType": "text/html"}"#).expectNothing()
        try CheckedArchive((Self.content, content), ("POST", "HEAD")).expectNothing()
        try CheckedArchive((Self.content, content), (#""status": 200"#, #""status": 304"#)).expectNothing()
        try Self.checked(#"{"size": 6, "mimeType": "text/html", "text": ""}"#)
            .expect(.bodyNotCaptured, .note, at: Self.pointer, over: #"{"size": 6"#)
    }

    @Test(arguments: [3, 44, 45, 46, 200], ["", #", "encoding": null"#, #", "encoding": """#])
    func `Base64 of any length that is not marked is reported`(count: Int, encoding: String) throws {
        let text = (Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 0xFF, count: count)).base64EncodedString()
        try Self.checked(#"{"size": \#(count + 3), "mimeType": "image/jpeg", "text": "\#(text)"\#(encoding)}"#)
            .expect(.unmarkedBase64, .warning, at: Self.pointer + "/text", over: "\"\(text)\"")
    }

    @Test(arguments: [(5, HARFinding.Severity.note), (7, .warning)])
    func `a size that differs from the length of the text is reported`(size: Int, severity: HARFinding.Severity) throws
    {
        try Self.checked(#"{"size": \#(size) , "mimeType": "text/html", "text": "answer"}"#)
            .expect(.sizeMismatch, severity, at: Self.pointer + "/size", over: "\(size) ,")
    }

    @Test(arguments: [
        #"{"size": 7, "mimeType": "text/html", "text": "é\n\"\u00e9\/"}"#,
        #"{"size": 4, "mimeType": "a/b; charset=\"UTF-8\"", "text": "\ud83d\ude00"}"#,
        #"{"size": 4, "mimeType": "text/html; charset=shift_jis", "text": "日本"}"#,
        #"{"size": 1, "mimeType": "text/html", "text": "é"}"#,
        #"{"size": 5, "mimeType": "text/html", "text": "\ufeffé"}"#,
        #"{"size": 4, "mimeType": "text/html", "text": "a"}"#,
        #"{"size": 3, "mimeType": "text/html", "text": "YWJj", "encoding": "base64"}"#,
        #"{"size": 1, "mimeType": "text/html", "text": "YQ==", "encoding": "Base64"}"#,
        #"{"size": -1, "mimeType": "text/html", "text": "YQ=="}"#,
    ])
    func `a size that equals the number of decoded bytes is valid`(content: String) throws {
        try Self.checked(content).expectNothing()
    }

    @Test func `a size equal to the length of the encoded text is reported`() throws {
        try Self.checked(#"{"size": 4 , "mimeType": "text/html", "text": "YWJj", "encoding": "base64"}"#)
            .expect(.sizeMismatch, .warning, at: Self.pointer + "/size", over: "4 ,")
    }

    @Test(arguments: ["YWJ?", "YWJjZ", "YQ==YQ==", "é"])
    func `Base64 that cannot be decoded is reported as an error`(text: String) throws {
        try Self.checked(#"{"size": 3, "mimeType": "a/b", "text": "\#(text)", "encoding": "base64"}"#)
            .expect(.malformedBase64, .error, at: Self.pointer + "/text", over: "\"\(text)\"")
    }

    @Test(arguments: [#"YW\r\nJj"#, "YWJjYQ", "_-_-"])
    func `Base64 that needs lenient decoding is reported as a note`(text: String) throws {
        try Self.checked(#"{"size": -1, "mimeType": "a/b", "text": "\#(text)", "encoding": "base64"}"#)
            .expect(.looseBase64, .note, at: Self.pointer + "/text", over: "\"\(text)\"")
    }

    @Test func `a nonstandard encoding is reported as a warning`() throws {
        try Self.checked(#"{"size": 6, "mimeType": "a/b", "text": "answer", "encoding": "rot13"}"#)
            .expect(.unknownEncoding, .warning, at: Self.pointer + "/encoding", over: #""rot13""#)
        try Self.checked(#"{"size": 6, "mimeType": "a/b", "text": "answer", "encoding": ""}"#).expectNothing()
    }

    @Test(arguments: ["", "x-unknown"])
    func `a missing or unknown media type is reported as a note if there is a body`(type: String) throws {
        try Self.checked(#"{"size": 6, "mimeType": "\#(type)", "text": "answer"}"#)
            .expect(.unknownMediaType, .note, at: Self.pointer + "/mimeType", over: "\"\(type)\"")
        try Self.checked(#"{"size": 0, "mimeType": "\#(type)", "text": ""}"#).expectNothing()
    }

    @Test func `a missing media type is reported as a note`() throws {
        let content = #"{"size": 6, "text": "answer"}"#
        try Self.checked(content).expect(.missingField, .note, at: Self.pointer, over: content)
    }

    @Test func `a body in a separate file is reported as a note`() throws {
        let archive = try Self.checked(#"{"size": 6, "mimeType": "a/b", "_file": "bodies/./da39.bin"}"#)
        try archive.expect(.bodyInFile, .note, at: Self.pointer + "/_file", over: #""bodies"#)
        #expect(archive.findings.count == 1)
    }

    @Test(arguments: ["/etc/passwd", "../a", "a/../b", "a/../../b", "a/..", #"..\\a"#, #"C:\\a"#, "c:/a"])
    func `a body in a file outside the folder is reported as an error`(path: String) throws {
        try Self.checked(#"{"size": 6, "mimeType": "a/b", "_file": "\#(path)"}"#)
            .expect(.fileOutsideFolder, .error, at: Self.pointer + "/_file", over: "\"\(path)\"")
    }

    @Test(arguments: ["", ".", "./", ".env", "a/.b/c"])
    func `a path without a file that may be read is reported as a warning`(path: String) throws {
        let archive = try Self.checked(#"{"size": 6, "mimeType": "a/b", "_file": "\#(path)"}"#)
        try archive.expect(.missingBodyFile, .warning, at: Self.pointer + "/_file", over: "\"\(path)\"")
        #expect(archive.findings.count == 1)
    }

    @Test func `U+FFFD in the text is reported as a note, and the size is not checked`() throws {
        let archive = try Self.checked(#"{"size": 2, "mimeType": "text/html", "text": "a�"}"#)
        try archive.expect(.replacementCharacter, .note, at: Self.pointer + "/text", over: #""a�""#)
        #expect(archive.findings.count == 1)
    }

    @Test(arguments: [#""a\ud800""#, #""\uDC00b""#])
    func `a lone surrogate is reported as a warning anywhere in an archive`(text: String) throws {
        try CheckedArchive((#""cache": {}"#, #""cache": {}, "_a": [{"b": \#(text)}]"#))
            .expect(.loneSurrogate, .warning, at: "/log/entries/0/_a/0/b", over: text)
        try CheckedArchive((#""Tool""#, text)).expect(.loneSurrogate, .warning, at: "/log/creator/name", over: text)
    }

    @Test func `surrogate pairs and escaped backslashes are valid`() throws {
        try CheckedArchive((#""cache": {}"#, #""cache": {}, "_a": ["\ud83d\ude00", "\\ud800", "é"]"#)).expectNothing()
    }
}
