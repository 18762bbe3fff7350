import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerLogTests {
    @Test func `a byte order mark is reported as a note, and all offsets include it`() throws {
        let archive = try CheckedArchive("\u{FEFF}" + CheckedArchive.valid.replacing("1.2", with: "1.1"))
        #expect(archive.findings.first == .byteOrderMark)
        #expect(archive.findings.first?.severity == .note)
        try archive.expect(.oldVersion, .note, at: "/log/version", over: #""1.1""#)
    }

    @Test func `old and empty versions are reported as notes, and an unknown version as a warning`() throws {
        try CheckedArchive((#""1.2""#, #""1.1""#)).expect(.oldVersion, .note, at: "/log/version", over: #""1.1""#)
        try CheckedArchive((#""1.2""#, #""""#)).expect(.oldVersion, .note, at: "/log/version", over: #""""#)
        try CheckedArchive((#""1.2""#, #""3""#)).expect(.unknownVersion, .warning, at: "/log/version", over: #""3""#)
    }

    @Test func `a missing version is reported as a warning at the location of the log`() throws {
        try CheckedArchive((#""version": "1.2", "#, ""))
            .expect(.missingField, .warning, at: "/log", over: #"{"creator""#)
    }

    @Test func `a missing creator is reported as an error, and missing pages are valid`() throws {
        try CheckedArchive(#"{"log": {"version": "1.2", "entries": []}}"#)
            .expect(.missingField, .error, at: "/log", over: #"{"version""#)
        try CheckedArchive(#"{"log": {"version": "1.2", "creator": {"name": "a", "version": "b"}, "entries": []}}"#)
            .expectNothing()
    }

    @Test func `missing entries are reported as an error`() throws {
        try CheckedArchive(#"{"log": {"version": "1.2", "creator": {"name": "a", "version": "b"}}}"#)
            .expect(.missingField, .error, at: "/log", over: #"{"version""#)
    }

    @Test func `entries that are not an array are reported as an error`() throws {
        try CheckedArchive(#"{"log": {"version": "1.2", "creator": {"name": "a", "version": "b"}, "entries": {}}}"#)
            .expect(.wrongType, .error, at: "/log/entries", over: "{}")
    }

    @Test func `an entry that is not an object is reported as an error with its entry index`() throws {
        try CheckedArchive((#""entries": ["#, #""entries": [77, "#))
            .expect(.wrongType, .error, at: "/log/entries/0", over: "77")
        try CheckedArchive(("]}}", ", 77]}}"))
            .expect(.wrongType, .error, at: "/log/entries/1", over: "77")
    }

    @Test func `a second log is reported as a warning`() throws {
        let archive = try CheckedArchive(#"{"_a": 1, "log": {"entries": []}, "log": [7]}"#)
        try archive.expect(.repeatedName, .warning, at: "/log", over: "[7]")
        #expect(archive.findings.contains { $0.rule == .wrongType && $0.severity == .error })
        try CheckedArchive(#"{"log": [7], "log": {"entries": []}}"#)
            .expect(.repeatedName, .warning, at: "/log", over: #"{"entries""#)
    }

    @Test func `a second list of entries is reported as a warning`() throws {
        try CheckedArchive(("]}}", #"], "entries": [ ]}}"#))
            .expect(.repeatedName, .warning, at: "/log/entries", over: "[ ]")
    }

    @Test func `a field outside the log is reported as a note, unless it is a custom field`() throws {
        try CheckedArchive((#"{"log""#, #"{"x": 77, "log""#)).expect(.unknownField, .note, at: "/x", over: "77")
        try CheckedArchive((#"{"log""#, #"{"_x": 77, "log""#)).expectNothing()
    }

    @Test func `a reference to an unknown page is reported, whether the pages precede or follow the entries`() throws {
        try CheckedArchive((#""pageref": "page_1""#, #""pageref": "page_7""#))
            .expect(.unknownPage, .warning, at: "/log/entries/0/pageref", over: #""page_7""#)
        let page = #"{"startedDateTime": "2024-05-01T10:00:00Z", "id": "p", "title": "", "pageTimings": {}}"#
        let creator = #""version": "1.2", "creator": {"name": "a", "version": "b"}"#
        let entry = CheckedArchive.entry.replacing("page_1", with: "p")
        try CheckedArchive(#"{"log": {\#(creator), "entries": [\#(entry)], "pages": [\#(page)]}}"#).expectNothing()
        try CheckedArchive(#"{"log": {\#(creator), "entries": [\#(entry)]}}"#)
            .expect(.unknownPage, .warning, at: "/log/entries/0/pageref", over: #""p""#)
    }

    @Test func `entries out of chronological order are reported as a single note`() throws {
        let earlier = CheckedArchive.entry.replacing("10:00:01.000Z", with: "10:00:00.5Z")
        let latest = CheckedArchive.entry.replacing("10:00:01.000Z", with: "12:00:02.000000+02:00")
        try CheckedArchive(("]}}", ", \(latest), \(earlier), \(earlier)]}}"))
            .expect(.entriesNotInOrder, .note, at: "/log/entries/2", over: earlier)
        try CheckedArchive(("]}}", ", \(latest)]}}")).expectNothing()
    }
}
