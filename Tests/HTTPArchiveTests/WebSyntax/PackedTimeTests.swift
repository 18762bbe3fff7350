import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct PackedTimeTests {
    private func packed(_ text: String) -> PackedTime? { text.withUTF8Bytes { PackedTime($0) } }

    /// Returns the date of a text, from the parser for all forms.
    private func date(_ text: String) -> Date? {
        var parser = ISO8601Parser(text)
        return parser.date()
    }

    @Test(arguments: [
        "1970-01-01T00:00:01Z", "2026-01-31T08:09:10Z", "2026-01-31T08:09:10.123Z", "2026-01-31T08:09:10.000Z",
        "2026-01-31T08:09:10.0Z", "2026-01-31T08:09:10.1234567Z", "2026-01-31T08:09:10.9999999+14:00",
        "2026-01-31T23:59:59.123456+00:00", "2026-01-31T08:09:10-00:00", "2024-02-29T00:00:00.5+05:45",
        "2026-12-31T23:59:59.99-13:30", "2426-12-31T23:59:59.9999999-14:00", "2000-02-29T12:00:00+01:00",
    ])
    func `a packed time has the text and the date of the original`(text: String) throws {
        let time = try #require(packed(text))
        #expect(time.text == text)
        #expect(time.date == date(text))
        #expect(PackedTime(value: time.value).text == text)
        #expect(HAR.date(text) == date(text))
    }

    @Test(arguments: [
        "", "2026", "2026-01-31", "2026-01-31T08:09:10", "2026-01-31T08:09:10.Z", "2026-01-31T08:09:10.12345678Z",
        "2026-01-31t08:09:10Z", "2026-01-31T08:09:10z", "2026-01-31 08:09:10Z", "2026-01-31T08:09:60Z",
        "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z", "2427-12-31T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-31T08:09:10+0100",
        "2026-01-31T08:09:10+01", "2026-01-31T08:09:10+01:20", "2026-01-31T08:09:10+14:15", "2026-01-31T08:09:10+1:00",
        "2026-01-31T08:09:10ZZ", "2026-01-31T08:09:10Z ", "2026-01-31T08:09:10,5Z", "２026-01-31T08:09:10Z",
        "2026-01-31T08:09:1\u{0}Z", "2026-01-31T0/:09:10Z", "20:6-01-31T08:09:10Z", "2026-01-31T08:09:10.1\u{FF11}Z",
    ])
    func `another form is kept as text`(text: String) {
        #expect(packed(text) == nil)
        #expect(RecordedTime(text).text == text)
        #expect(HAR.date(text) == date(text))
    }

    @Test func `random times survive a round trip`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let seconds = Int.random(in: 1...14_000_000_000, using: &random)
            let count = Int.random(in: 0...7, using: &random)
            let decimals = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let quarters = Int.random(in: 0...56, using: &random)
            var text = ISO8601Writer.text(milliseconds: Double(seconds) * 1000).prefix(19) + (count == 0 ? "" : ".")
            text += decimals
            if Bool.random(using: &random) {
                text += "Z"
            } else {
                let digits = [quarters / 4, quarters % 4 * 15].map { $0 < 10 ? "0\($0)" : "\($0)" }
                text += (Bool.random(using: &random) ? "+" : "-") + digits.joined(separator: ":")
            }
            let time = try #require(packed(String(text)), "\(text)")
            guard time.text == text, time.date == date(String(text)) else {
                Issue.record("\(text) became \(time.text)")
                continue
            }
        }
    }

    @Test func `any number is a time`() {
        var random = SeededGenerator(seed: 1)
        let numbers = (0..<1000).map { _ in UInt64.random(in: 0...UInt64.max, using: &random) }
        for value in numbers + [0, 1, 65_535, 65_536, .max, .max - 1] {
            let time = PackedTime(value: value)
            #expect(time.date == HAR.date(time.text))
        }
    }
}
