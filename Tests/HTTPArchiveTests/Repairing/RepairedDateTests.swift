@testable import ArchiveRepair
import Foundation
import Testing

@testable import HTTPArchive

/// Repairing dates in other formats.
@Suite(.limited) struct RepairedDateTests {
    private typealias Text = RepairedArchiveText

    private static let dates = [
        ("Thu Jan 01 2026 10:00:00 GMT-0500 (Eastern Standard Time)", "2026-01-01T15:00:00Z"),
        ("Thu, 01 Jan 2026 10:00:00 +0200", "2026-01-01T08:00:00Z"),
        ("Thu, 01 Jan 2026 10:00:00 PST", "2026-01-01T18:00:00Z"),
        ("Thu, 01 Jan 2026 10:00:00 EDT", "2026-01-01T14:00:00Z"),
        ("Thu Jan  1 10:00:00 2026", "2026-01-01T10:00:00Z"), ("Jan 1, 2026, 10:00:00 PM", "2026-01-01T22:00:00Z"),
        ("Jan 1 2026 12:00:00 AM", "2026-01-01T00:00:00Z"), ("2026-01-01T01:00:00 p.m.", "2026-01-01T13:00:00Z"),
        ("20260101100000", "2026-01-01T10:00:00Z"), ("20260101", "2026-01-01T00:00:00Z"),
        ("/Date(1767261600123)/", "2026-01-01T10:00:00.123Z"),
        ("2026-01-01T10:00:00+01:00[Europe/Berlin]", "2026-01-01T09:00:00Z"),
        ("2026-01-01 10:00:00.123456789 +0000 UTC m=+0.1", "2026-01-01T10:00:00.123456789Z"),
        ("2026-01-01 10:00:00 +0100 CET", "2026-01-01T09:00:00Z"), ("2026-01-01T24:00:00Z", "2026-01-02T00:00:00Z"),
        ("2026-01-01T10:00:00,123+01", "2026-01-01T09:00:00.123Z"), ("2026-W01-4", "2026-01-01T00:00:00Z"),
        ("2026-001T10:00:00Z", "2026-01-01T10:00:00Z"), ("01/Jan/2026:10:00:00 +0200", "2026-01-01T08:00:00Z"),
        ("20260101T100000Z", "2026-01-01T10:00:00Z"), ("01.02.2026 10:00", "2026-02-01T10:00:00Z"),
        ("13/2/2026 10:00", "2026-02-13T10:00:00Z"), ("1767261600", "2026-01-01T10:00:00Z"),
        ("1767261600123456", "2026-01-01T10:00:00.123456Z"), ("1767261600123456789", "2026-01-01T10:00:00.123456789Z"),
    ]

    @Test(arguments: dates)
    func `a date in another format is the same instant`(text: String, expected: String) throws {
        let date = try #require(DateText(text))
        #expect(date.isCertain)
        #expect(try #require(HAR.date(date.text)) == #require(HAR.date(expected)), "\(date.text)")
        #expect(!expected.contains("456") || date.text == expected)
        let result = try Text(Text.changing("2026-01-01T00:00:02.000Z", text))
        #expect(result.log.entries[1].fields["_originalStartedDateTime"] == nil)
    }

    @Test(arguments: [
        "1/2/2026, 10:00:00 PM", "Thu Jan  1 10:00:00 XYZT 2026", "yesterday", "10:00", "12", "2026-13-45",
    ])
    func `a date that is not certain is kept in a custom field`(text: String) throws {
        let result = try Text(Text.changing("2026-01-01T00:00:02.000Z", text))
        #expect(result.log.entries[1].fields.text("_originalStartedDateTime") == text)
        #expect(result.kinds == ["date-format"])
    }
}
