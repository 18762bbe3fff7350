import Foundation
import HTTPArchive
import TestSupport
import Testing

@Suite(.limited) struct DateTests {
    private let second = Date(timeIntervalSince1970: 1_239_883_643)

    @Test(
        arguments: [
            ("2009-04-16T12:07:23Z", 0), ("2009-04-16T12:07:23.5Z", 0.5), ("2009-04-16T12:07:23.59Z", 0.59),
            ("2009-04-16T12:07:23.596Z", 0.596), ("2009-04-16T12:07:23.596123Z", 0.596123),
            ("2009-04-16T12:07:23.5961234Z", 0.5961234), ("2009-04-16T12:07:23.596123456Z", 0.596123456),
            ("2009-04-16T12:07:23.123456789012Z", 0.123456789012), ("2009-04-16T14:07:23.596+02:00", 0.596),
            ("2009-04-16T04:07:23.5961234-08:00", 0.5961234), ("2009-04-16T17:37:23+05:30", 0),
            ("2009-04-16T14:07:23+0200", 0), ("2009-04-16T12:07:23.000-00:00", 0), ("2009-04-17T00:07:23+12:00", 0),
        ] as [(String, Double)])
    func `a time can have any number of fractional digits and any UTC offset`(text: String, fraction: Double) throws {
        let date = try #require(HAR.date(text))
        #expect(abs(date.timeIntervalSince(second) - fraction) < 0.000_001)
        let entry = HAR.Entry(fields: ["startedDateTime": .string(JSONString(text))])
        #expect(entry.startedDate == date)
        #expect(HAR.Page(fields: entry.fields).startedDate == date)
        #expect(HAR.Cookie(fields: ["expires": .string(JSONString(text))]).expiresDate == date)
    }

    @Test(
        arguments: [
            "", "now", "2009-04-16", "2009-04-16T12:07:23", "2009-04-16T12:07:23.596", "12:07:23Z",
            "2009-04-16T12:07:23.596Zjunk", "2009-04-16T12:07:23Z ", "2009-13-16T12:07:23Z", "2009-02-31T12:07:23Z",
            "2009-04-16T25:07:23Z", "2009-04-16T12:61:23Z", "2009-04-16T12:07:23.Z", "Thu, 16 Apr 2009 12:07:23 GMT",
            "1239883643", "2009-04-16T12:07:23+99:00", "２００９-04-16T12:07:23Z",
        ])
    func `parsing an invalid time returns nil`(text: String) {
        #expect(HAR.date(text) == nil)
    }

    @Test func `leap years are supported`() {
        #expect(HAR.date("2008-02-29T00:00:00Z") == Date(timeIntervalSince1970: 1_204_243_200))
        #expect(HAR.date("2009-02-29T00:00:00Z") == nil)
        #expect(HAR.date("2000-02-29T00:00:00Z") != nil)
        #expect(HAR.date("1900-02-29T00:00:00Z") == nil)
        #expect(HAR.date("1601-01-01T00:00:00Z") == Date(timeIntervalSince1970: -11_644_473_600))
        #expect(HAR.date("9999-12-31T23:59:59.999Z") != nil)
    }

    @Test func `a time is written with milliseconds in UTC`() {
        #expect(HAR.text(second) == "2009-04-16T12:07:23.000Z")
        #expect(HAR.text(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00.000Z")
    }

    @Test func `every millisecond survives a round trip`() throws {
        for millisecond in 0..<1000 {
            let digits = String(1000 + millisecond).dropFirst()
            for day in ["2009-04-16T12:07:23", "1969-12-31T23:59:59", "2026-01-01T00:00:00"] {
                let text = "\(day).\(digits)Z"
                #expect(HAR.text(try #require(HAR.date(text))) == text)
            }
        }
    }

    @Test func `a time is rounded to the nearest millisecond`() throws {
        #expect(HAR.text(Date(timeIntervalSince1970: 0.0006)) == "1970-01-01T00:00:00.001Z")
        #expect(HAR.text(Date(timeIntervalSince1970: 0.9996)) == "1970-01-01T00:00:01.000Z")
        #expect(HAR.text(Date(timeIntervalSince1970: -0.0006)) == "1969-12-31T23:59:59.999Z")
    }
    @Test(
        arguments: [
            "0000-01-01T00:00:00.000Z", "0000-02-29T12:00:00.001Z", "0001-03-01T00:00:00.000Z",
            "1582-10-15T00:00:00.000Z", "1582-10-04T23:59:59.999Z", "1600-02-29T00:00:00.000Z",
            "1900-02-28T00:00:00.000Z", "1900-03-01T00:00:00.000Z", "2000-02-29T23:59:59.999Z",
            "2000-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
        ])
    func `a time in any year from 0 to 9999 survives a round trip`(text: String) throws {
        #expect(HAR.text(try #require(HAR.date(text))) == text)
    }

    @Test func `every day in four centuries survives a round trip`() throws {
        let first = try #require(HAR.date("1999-12-31T00:00:00.000Z"))
        for day in Cases.some(15_000, of: 0..<146_100) {
            let date = first + Double(day) * 86_400
            #expect(HAR.date(HAR.text(date)) == date)
        }
    }

    @Test func `a time outside the years 0 to 9999 is clamped to that range`() {
        #expect(HAR.text(.distantPast) == "0000-12-30T00:00:00.000Z")
        #expect(HAR.text(Date(timeIntervalSince1970: -.infinity)) == "0000-01-01T00:00:00.000Z")
        #expect(HAR.text(Date(timeIntervalSince1970: .greatestFiniteMagnitude)) == "9999-12-31T23:59:59.999Z")
        #expect(HAR.text(Date(timeIntervalSince1970: .nan)) == "1970-01-01T00:00:00.000Z")
    }
}
