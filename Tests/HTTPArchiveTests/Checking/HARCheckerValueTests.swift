import ArchiveChecking
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerValueTests {
    private static let entry = "/log/entries/0"
    private static let date = #""2024-05-01T10:00:01.000Z""#

    @Test(arguments: ["", "yesterday", "2024-05-01", "Wed, 01 May 2024 10:00:01 GMT", "2024-13-01T10:00:00Z"])
    func `a date that is not in ISO 8601 format is reported as a warning`(text: String) throws {
        try CheckedArchive((Self.date, "\"\(text)\""))
            .expect(.invalidDate, .warning, at: Self.entry + "/startedDateTime", over: "\"\(text)\"")
    }

    @Test(arguments: ["2024-05-01T10:00:01.123", "2024-05-01T10:00:01"])
    func `a date without a UTC offset is reported as a warning`(text: String) throws {
        try CheckedArchive((Self.date, "\"\(text)\""))
            .expect(.dateWithoutOffset, .warning, at: Self.entry + "/startedDateTime", over: "\"\(text)\"")
    }

    @Test(arguments: ["", ".1", ".12", ".123", ".123456", ".1234567"], ["Z", "+02:00", "-11:30"])
    func `any number of fractional digits and any UTC offset are valid`(fraction: String, offset: String) throws {
        try CheckedArchive((Self.date, "\"2024-05-01T10:00:01\(fraction)\(offset)\"")).expectNothing()
    }

    @Test func `expiration dates of cookies are checked, and an empty date or null is only a note`() throws {
        let (date, pointer) = (#""2025-01-01T00:00:00+02:00""#, "/log/entries/0/response/cookies/0/expires")
        try CheckedArchive((date, #""Thu, 01 Jan 2025""#))
            .expect(.invalidDate, .warning, at: pointer, over: #""Thu, 01"#)
        try CheckedArchive((date, #""""#), (#""redirectURL": """#, #""redirectURL": "x""#))
            .expect(.invalidDate, .note, at: pointer, over: #""""#)
        try CheckedArchive((date, "null")).expect(.nullField, .note, at: pointer, over: "null")
    }

    @Test(arguments: ["-1", "-0.5", "null"])
    func `a negative or null time is reported as a warning`(text: String) throws {
        try CheckedArchive((#""time": 20"#, #""time": \#(text) "#))
            .expect(.unknownTime, .warning, at: Self.entry + "/time", over: "\(text) ")
        try CheckedArchive((#""wait": 18"#, #""wait": \#(text) "#))
            .expect(.unknownTime, .warning, at: Self.entry + "/timings/wait", over: "\(text) ")
    }

    @Test func `each missing time is reported as a warning`() throws {
        let archive = try CheckedArchive((#""send": 1, "wait": 18, "receive": 1"#, #""ssl": -1"#))
        #expect(archive.findings.map(\.rule) == [.unknownTime, .unknownTime, .unknownTime])
        #expect(Set(archive.findings.map(\.byteOffset)) == [try archive.offset(of: #"{"blocked""#)])
    }

    @Test func `optional times can be -1 but no other negative number`() throws {
        try CheckedArchive((#""blocked": -1"#, #""blocked": -7"#))
            .expect(.unknownTime, .warning, at: Self.entry + "/timings/blocked", over: "-7")
        try CheckedArchive((#""blocked": -1"#, #""dns": -1, "ssl": 0"#), (#""time": 20"#, #""time": 1.5"#))
            .expectNothing()
    }

    @Test func `a size that is null or missing is reported as a warning, and -1 is valid`() throws {
        try CheckedArchive((#""headersSize": 100"#, #""headersSize": null"#))
            .expect(.unknownSize, .warning, at: Self.entry + "/request/headersSize", over: "null")
        try CheckedArchive((#""headersSize": -1, "#, ""))
            .expect(.unknownSize, .warning, at: Self.entry + "/response", over: #"{"status""#)
        try CheckedArchive((#""headersSize": 100"#, #""headersSize": -1"#), (#""size": 6"#, #""size": -1"#))
            .expectNothing()
    }

    @Test(arguments: ["-2", "1.5"])
    func `a size that is fractional or less than -1 is reported as a warning`(text: String) throws {
        try CheckedArchive((#""headersSize": 100"#, #""headersSize": \#(text) "#))
            .expect(.invalidSize, .warning, at: Self.entry + "/request/headersSize", over: "\(text) ")
    }

    @Test(arguments: ["", "unknown", "me:", "ori", "HTTP/1.7"])
    func `an unknown HTTP version is reported as a note`(text: String) throws {
        try CheckedArchive((#""HTTP/1.1""#, "\"\(text)\""))
            .expect(.unknownHTTPVersion, .note, at: Self.entry + "/request/httpVersion", over: "\"\(text)\"")
    }

    @Test(arguments: ["HTTP/1.0", "1.1", "h2", "HTTP/2", "http/2.0", "HTTP/2.0", "h3", "HTTP/3", "h3-29", "h2c"])
    func `every notation that tools use for HTTP versions is valid`(text: String) throws {
        try CheckedArchive((#""HTTP/1.1""#, "\"\(text)\"")).expectNothing()
    }
}
