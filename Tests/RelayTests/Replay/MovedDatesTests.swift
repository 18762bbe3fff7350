import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// The dates in the header fields of old responses.
///
/// The responses were received on November 6, 2024, and are replayed exactly one year later.
@Suite(.limited) struct MovedDatesTests {
    private let received: Date
    private let now: Date

    init() throws {
        received = try #require(HAR.date("2024-11-06T08:00:00Z"))
        now = try #require(HAR.date("2025-11-06T08:00:00Z"))
    }

    private func moved(_ value: String, of name: String = "Set-Cookie", _ dates: MovedDates = .cookies) -> String {
        var headers = [HeaderField(name: name, value: value)]
        if dates.affect(headers) { dates.move(&headers, from: received, to: now) }
        return headers[0].value
    }

    @Test(arguments: [
        "Fri, 06 Dec 2024 08:49:37 GMT", "Friday, 06-Dec-24 08:49:37 GMT", "Fri Dec  6 08:49:37 2024",
        "Fri, 06-Dec-2024 08:49:37 GMT", "fri, 6 december 2024 8:49:37", "06 Dec 2024 08:49:37 UTC",
        "Sun, 06 Dec 2024 08:49:37 GMT",
    ])
    func `a date in any format becomes a date in the format of HTTP, with the correct weekday`(text: String) {
        let date = "Sat, 06 Dec 2025 08:49:37 GMT"
        #expect(moved("a=1; Path=/; Expires=\(text); Secure") == "a=1; Path=/; Expires=\(date); Secure")
        #expect(moved("a=1;EXPIRES = \"\(text)\"") == "a=1;EXPIRES = \"\(date)\"")
        for name in ["expires", "Retry-After", "DATE"] { #expect(moved(text, of: name, .all) == date) }
    }

    @Test(arguments: [
        ("Wed, 28 Feb 2024 00:00:00 GMT", "Thu, 27 Feb 2025 00:00:00 GMT"),
        ("Tue, 31 Dec 2024 23:59:59 GMT", "Wed, 31 Dec 2025 23:59:59 GMT"),
        ("Fri, 31 Dec 9998 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"),
        ("Thu, 31 Dec 9999 23:59:59 GMT", "Thu, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `the year 9999 is not exceeded`(date: String, expected: String) {
        #expect(moved(date, of: "Date", .all) == expected)
    }

    @Test(arguments: [
        "a=1", "a=1; Path=/; HttpOnly", "a=1; Max-Age=60", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "a=; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0", "a=; Expires=Mon, 06 Nov 2023 08:00:00 GMT",
        "a=1; Expires=0", "a=1; Expires=-1", "a=1; Expires=", "a=1; Expires", "a=1; Expires=Session",
        "a=1; Expires=Fri, 31 Feb 2025 00:00:00 GMT", "a=1; Expires=2025-02-01T00:00:00Z", "",
        "expires=Fri, 06 Dec 2024 08:49:37 GMT", "a=expires=Fri, 06 Dec 2024 08:49:37 GMT",
    ])
    func `session cookies, deleted cookies and text that is not an expiry date are preserved`(value: String) {
        #expect(moved(value) == value)
        #expect(moved(value, .all) == value)
    }

    @Test(arguments: ["\n", "\r\n", ", ", ","])
    func `cookies joined in one field are moved separately`(separator: String) {
        func cookies(_ first: String, _ second: String) -> String {
            let values = [
                "a=1; Expires=\(first)", "b=2", "c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
                "d=4; expires=\(second); Path=/", "e=5; Path=/; Expires=\(first)",
            ]
            return values.joined(separator: separator)
        }
        let value = cookies("Fri, 06 Dec 2024 08:49:37 GMT", "Saturday, 07-Dec-24 08:49:37 GMT")
        #expect(moved(value) == cookies("Sat, 06 Dec 2025 08:49:37 GMT", "Sun, 07 Dec 2025 08:49:37 GMT"))
    }

    @Test func `a cookie that is deleted remains deleted, and a cookie of a server with a slow clock remains valid`() {
        #expect(moved("a=; Expires=Wed, 06 Nov 2024 07:59:59 GMT") == "a=; Expires=Thu, 06 Nov 2025 07:59:59 GMT")
        #expect(moved("a=; Expires=Tue, 05 Nov 2024 07:59:59 GMT") == "a=; Expires=Tue, 05 Nov 2024 07:59:59 GMT")
    }

    /// The header fields of a response that sets a cookie.
    private let fields = [
        ("Date", "Wed, 06 Nov 2024 08:00:00 GMT"), ("Set-Cookie", "a=1; Expires=Wed, 06 Nov 2024 09:00:00 GMT"),
        ("Expires", "Wed, 06 Nov 2024 08:05:00 GMT"), ("Retry-After", "Wed, 06 Nov 2024 08:02:00 GMT"),
        ("Last-Modified", "Tue, 05 Nov 2024 08:00:00 GMT"), ("ETag", "\"x\""), ("Age", "10"),
    ]

    /// Returns the names of the fields that a replay moves by a year.
    private func movedNames(_ fields: [(String, String)], _ dates: MovedDates) -> [String] {
        let recorded = fields.map(HeaderField.init)
        var headers = recorded
        if dates.affect(headers) { dates.move(&headers, from: received, to: now) }
        return zip(headers, recorded).compactMap { moved, recorded in
            guard moved != recorded else { return nil }
            #expect(moved.value == recorded.value.replacing("Wed, 06 Nov 2024", with: "Thu, 06 Nov 2025"))
            return moved.name
        }
    }

    @Test func `the setting determines which fields are moved`() {
        #expect(movedNames(fields, .none) == [])
        #expect(movedNames(fields, .cookies) == ["Date", "Set-Cookie"])
        #expect(movedNames(fields, .all) == ["Date", "Set-Cookie", "Expires", "Retry-After"])
        let others = fields.filter { $0.0 != "Set-Cookie" } + [("Set-Cookie", "a=1")]
        #expect(movedNames(others, .cookies) == [])
        #expect(movedNames(others, .all) == ["Date", "Expires", "Retry-After"])
    }

    @Test(arguments: [
        ("Date", "soon"), ("Expires", "0"), ("Expires", "-1"), ("Expires", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ("Retry-After", "120"), ("Last-Modified", "Wed, 06 Nov 2024 08:00:00 GMT"),
    ])
    func `fields that contain no date to move are preserved`(name: String, value: String) {
        #expect(moved(value, of: name, .all) == value)
    }

    @Test func `the date of a response from a cache is moved, even if it was old`() {
        #expect(moved("Tue, 01 Oct 2024 00:00:00 GMT", of: "Date", .all) == "Wed, 01 Oct 2025 00:00:00 GMT")
    }

    @Test(arguments: [0, -1, -31_536_000])
    func `a response from the present or the future is preserved`(age: Double) {
        for dates in [MovedDates.none, .cookies, .all] {
            var headers = fields.map(HeaderField.init)
            dates.move(&headers, from: received, to: received.addingTimeInterval(age))
            #expect(headers == fields.map(HeaderField.init))
        }
    }

    @Test func `the time of an entry is the end of its response`() {
        var entry = HAR.Entry.entry()
        entry.startedDateTime = "2024-11-06T07:59:58.500Z"
        for (time, seconds) in [(1500.0, 1.5), (nil, 0), (-1, 0)] as [(Double?, Double)] {
            entry.time = time
            #expect(entry.receivedDate == entry.startedDate?.addingTimeInterval(seconds))
        }
        entry.startedDateTime = "unknown"
        #expect(entry.receivedDate == nil)
    }
}
