import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONNumberTests {
    private static let texts = [
        "0", "-0", "1.50", "-0.0", "1e400", "-1E+400", "1e-400", "0.1", "123456789012345678901234567890", "1E-7", "1.0",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e0", "0e0", "0.000", "-12.5e-3",
    ]

    @Test(arguments: texts)
    func `a number is written as it was read`(text: String) throws {
        for document in ["[\(text)]", "{\"a\":\(text)}", text, " \(text)\n", "[\(text),\(text) , \(text)]"] {
            let value = try JSONValue(parsing: document)
            let copy = String(decoding: value.data(), as: UTF8.self)
            #expect(copy == document.filter { !$0.isWhitespace })
        }
        #expect(JSONNumber(text: text)?.text == text)
    }

    @Test func `a thousand digits are preserved`() throws {
        let text = "-" + String(repeating: "1234567890", count: 100) + "." + String(repeating: "9", count: 1000)
        #expect(try JSONValue(parsing: text).number?.text == text)
        #expect(JSONNumber(text: text)?.double == -.infinity)
        #expect(JSONNumber(text: text)?.int == nil)
    }

    @Test(
        arguments: [
            "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "1_000", "NaN", "Infinity", "-Infinity", " 1",
            "1 ",
            "1,0", "١", "1\u{301}", "1e5.5", "--1",
        ])
    func `invalid numbers are rejected`(text: String) {
        #expect(JSONNumber(text: text) == nil)
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if trimmed == text { #expect(throws: HARError.self) { _ = try JSONValue(parsing: text) } }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("17", 17), ("1.0", 1), ("1e3", 1000), ("1.5e1", 15), ("-2.00", -2),
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("1.5", nil), ("1e-1", nil),
            ("1e400", nil),
            ("9223372036854775808", nil), ("1e19", nil), ("0.1", nil),
        ] as [(String, Int?)])
    func `an integer is recognized in any notation`(text: String, int: Int?) throws {
        #expect(try #require(JSONNumber(text: text)).int == int)
    }

    @Test(
        arguments: [
            ("200", "200"), (" 200 ", "200"), ("\t2e2\n", "2e2"), ("200.0", "200.0"), ("12.5", "12.5"),
            ("12,5", "12.5"),
            ("-1", "-1"), ("+7", "7"), ("007", "7"), (",5", "0.5"), ("5.", "5"), ("-0,0", "-0.0"), ("1.234,5", nil),
            ("1,2,3", nil), ("NaN", nil), ("Infinity", nil), ("inf", nil), ("", nil), (" ", nil), ("-", nil),
            (".", nil),
            (",", nil), ("e5", nil), ("1e", nil), ("0x1F", nil), ("1 2", nil), ("12 ms", nil), ("١", nil),
            ("null", nil),
            (String(repeating: "1", count: 65), nil),
        ] as [(String, String?)])
    func `a number in a string can have a decimal comma and whitespace around it`(text: String, number: String?) throws
    {
        #expect(JSONNumber(string: text.utf8)?.text == number)
        let object: JSONObject = ["a": .string(JSONString(text))]
        let parsed = try #require(try JSONValue(parsing: JSONValue.object(object).data()).object)
        for fields in [object, parsed] { #expect(fields.int("a") == number.flatMap { JSONNumber(text: $0) }?.int) }
    }

    @Test(arguments: ["0.99999999999999999999", "9007199254740993.5", "1.00000000000000000001"])
    func `a number with a nonzero fraction is not an integer, however small the fraction`(text: String) throws {
        #expect(try #require(JSONNumber(text: text)).int == nil)
    }

    @Test func `an integer with a fraction of zeros is exact`() throws {
        #expect(try #require(JSONNumber(text: "9007199254740993.0")).int == 9_007_199_254_740_993)
        #expect(try #require(JSONNumber(text: "9223372036854775807.00")).int == .max)
    }

    @Test(
        arguments: [
            0.0, 1, -1, 0.1, 1.5, 1e16, 1e21, 1e-7, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -123_456.789,
            1e100,
        ])
    func `a Double survives a round trip through valid JSON`(value: Double) throws {
        let number = try #require(JSONNumber(value))
        #expect(number.double == value)
        #expect(JSONNumber(text: number.text) == number)
    }

    @Test func `infinity and NaN are not numbers`() {
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
    }

    @Test func `a number beyond the range of Double is infinite`() throws {
        #expect(try #require(JSONNumber(text: "1e400")).double == .infinity)
        #expect(try #require(JSONNumber(text: "1e-400")).double == 0)
    }

    @Test func `numbers are equal if their text is equal`() {
        #expect(JSONNumber(1) == JSONNumber(text: "1"))
        #expect(JSONNumber(1) != JSONNumber(text: "1.0"))
        #expect(JSONNumber(text: "1e0") != JSONNumber(text: "1E0"))
    }

    @Test(arguments: [1, 2, 3])
    func `a number at the end of the document is read completely`(count: Int) throws {
        let text = String(repeating: "7", count: count)
        #expect(try JSONValue(parsing: text).number?.text == text)
    }
}
