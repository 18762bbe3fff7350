import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct CookieHeaderTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func cookie(_ value: String) throws -> HAR.Cookie {
        try #require(CookieHeader.cookie(value, at: now))
    }

    @Test func `a Set-Cookie field is parsed with its attributes`() throws {
        let cookie = try cookie(
            "id = a=b ; Path=/x; Domain=.Example.COM; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure; HttpOnly; SameSite=Lax"
        )
        #expect(cookie.name == "id")
        #expect(cookie.value == "a=b")
        #expect(cookie.path == "/x")
        #expect(cookie.domain == "example.com")
        #expect(cookie.expires == "2026-10-21T07:28:00.000Z")
        #expect(cookie.secure == true)
        #expect(cookie.httpOnly == true)
        #expect(cookie["_sameSite"] == "Lax")
    }

    @Test func `invalid and unknown attributes are ignored`() throws {
        let cookie = try cookie("a=b; Path=x; Expires=never; Max-Age=soon; Domain=; Other")
        #expect(cookie.fields.members.map(\.name) == ["name", "value", "httpOnly", "secure"])
        #expect(cookie.secure == false)
    }

    @Test(arguments: [
        ("a=1; Max-Age=60; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "2026-01-01T00:01:00.000Z"),
        ("a=1; Max-Age=0", "1970-01-01T00:00:00.000Z"), ("a=1; Max-Age=-5", "1970-01-01T00:00:00.000Z"),
        ("a=1; max-age=1; MAX-AGE=120", "2026-01-01T00:02:00.000Z"),
        ("a=1; Max-Age=99999999999999999999", "5194-11-16T09:46:40.000Z"),
    ])
    func `the last Max-Age is used and takes precedence over Expires`(value: String, expires: String) throws {
        #expect(try cookie(value).expires == expires)
    }

    @Test func `a field without an equals sign is a value without a name, and an empty field is ignored`() throws {
        #expect(try cookie("token; Secure").name == "")
        #expect(try cookie("token; Secure").value == "token")
        #expect(CookieHeader.cookie("", at: now) == nil)
        #expect(CookieHeader.cookie("; Path=/", at: now) == nil)
    }

    @Test func `a Cookie field with several cookies is parsed`() {
        let cookies = CookieHeader.cookies(sentIn: "a=1;b=\"2\" ; c=; ;d=e=f; alone")
        #expect(cookies.map { "\($0.name)|\($0.value)" } == ["a|1", "b|\"2\"", "c|", "d|e=f", "|alone"])
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"),
        ("6 nov 69 8:4:7", "2069-11-06T08:04:07.000Z"), ("1 January 1601 00:00:00", "1601-01-01T00:00:00.000Z"),
        ("Thu, 01-Jan-1970 00:00:01 GMT", "1970-01-01T00:00:01.000Z"),
        ("31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59.000Z"),
    ])
    func `dates are parsed in all formats that servers use`(text: String, date: String) {
        #expect(CookieDate.date(text).map(HAR.text) == date)
    }

    @Test(arguments: [
        ("0000-01-01T00:00:00Z", "Sat, 01 Jan 0000 00:00:00 GMT"),
        ("1969-12-31T23:59:59.9Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
        ("1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ("1994-11-06T08:49:37.5Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("2000-02-29T12:00:00Z", "Tue, 29 Feb 2000 12:00:00 GMT"),
        ("9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `a date is formatted as HTTP requires, if its year has four digits`(date: String, text: String) throws {
        let date = try #require(HAR.date(date))
        #expect(CookieDate.text(date) == text)
        #expect(CookieDate.text(.distantFuture) == "Mon, 01 Jan 4001 00:00:00 GMT")
        #expect(CookieDate.text(Date(timeIntervalSince1970: 253_402_300_800)) == nil)
        #expect(CookieDate.text(Date(timeIntervalSince1970: .infinity)) == nil)
    }

    @Test(arguments: [
        "", "tomorrow", "06 Nov 1994", "06 Nov 1600 00:00:00", "31 Feb 2026 00:00:00", "06 Nov 1994 24:00:00",
        "06 Nov 1994 00:60:00", "06 Nov 19940 00:00:00", "06 Nov 1994 123:00:00", "::: é 🎉",
    ])
    func `an invalid date is ignored`(text: String) {
        #expect(CookieDate.date(text) == nil)
    }
}
