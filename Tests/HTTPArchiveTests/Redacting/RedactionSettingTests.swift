import Foundation
import HTTPArchive
import Testing

/// The settings of a redactor.
@Suite(.limited) struct RedactionSettingTests {
    @Test func `custom names are secret only in the parts they are configured for`() throws {
        let redactor = try HARRedactor.test {
            $0.headers = ["X-Tenant"]
            $0.queryItems = ["tenant"]
            $0.formFields = ["iban"]
            $0.jsonKeys = ["birth_date"]
        }.masked
        #expect(redactor.redacted(header: "acme", named: "x-tenant") == "REDACTED")
        #expect(redactor.redacted(url: "/?tenant=acme&iban=1") == "/?tenant=REDACTED&iban=1")
        #expect(
            redactor.masked("iban=DE1&tenant=acme", as: "application/x-www-form-urlencoded")
                == "iban=REDACTED&tenant=acme")
        #expect(redactor.masked(#"{"birthDate":{"year":1990}}"#) == #"{"birthDate":{"year":"REDACTED"}}"#)
    }

    @Test func `a pattern redacts its whole match or its first capture group`() throws {
        let redactor = try HARRedactor.test { $0.patterns = [#"emp-\d+"#, #"salary: (\d+)"#] }
        #expect(
            redactor.masked("é emp-17, salary: 900 and salary: x", as: "text/plain")
                == "é REDACTED, salary: REDACTED and salary: x")
        #expect(redactor.masked.redacted(url: "https://a.test/emp-3?a=emp-4") == "https://a.test/REDACTED?a=REDACTED")
        #expect(throws: HARError.self) { try HARRedactor.test { $0.patterns = ["a", "("] } }
        let long = String(repeating: "é", count: 1 << 20) + "emp-17" + String(repeating: "x", count: 1 << 20)
        #expect(redactor.masked(long, as: "text/plain").contains("éREDACTEDx"))
    }

    @Test func `the error for an invalid pattern does not contain its text`() throws {
        do {
            _ = try HARRedactor.test { $0.patterns = ["my(secret"] }
            Issue.record("no error was thrown")
        } catch let error as HARError {
            #expect(error.code == .invalidRule)
            #expect(!"\(error)".contains("secret("))
        }
    }

    @Test func `kinds of detection can be disabled, and names and values can be allowed`() throws {
        let body = #"{"password":"hunter22","card":"4111 1111 1111 1111"}"#
        #expect(
            try HARRedactor.test { $0.redactsKnownNames = false }.masked(body)
                == #"{"password":"hunter22","card":"REDACTED"}"#)
        #expect(
            try HARRedactor.test { $0.detectsKnownSecrets = false }.masked(body)
                == #"{"password":"REDACTED","card":"4111 1111 1111 1111"}"#)
        #expect(
            try HARRedactor.test { $0.allowedNames = ["Password"] }.masked(body)
                == #"{"password":"hunter22","card":"REDACTED"}"#)
        #expect(try HARRedactor.test { $0.allowedValues = ["hunter22", "4111111111111111"] }.masked(body) == body)
        let cookie = "sid=abcdefgh"
        #expect(try HARRedactor.test { $0.redactsCookies = false }.redacted(header: cookie, named: "Cookie") == cookie)
        #expect(try HARRedactor.test { $0 = .none }.masked(body + cookie) == body + cookie)
        let twice = #"{"token":"Zq7pl4nt3d","a":"Zq7pl4nt3d"}"#
        #expect(
            try HARRedactor.test { $0.redactsRepetitions = false }.masked(twice)
                == #"{"token":"REDACTED","a":"Zq7pl4nt3d"}"#)
    }

    @Test func `a secret word is not replaced inside longer words or in names`() throws {
        let body = #"{"password":"password","a":"password","b":"passwords my-password."}"#
        #expect(
            try HARRedactor.test().masked(body)
                == #"{"password":"REDACTED","a":"REDACTED","b":"passwords my-REDACTED."}"#)
    }
}
