import Foundation
import HTTPArchive
import Testing

/// Tests that `har diff` shows no secrets, and still tells which values differ.
@Suite(.limited) struct DiffSecretsTests {
    private static let lines = (0..<12).map { line in
        String((0..<64).map { letters[($0 * 7 + line * 13) % 64] })
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    private static func key(reversed: Bool) -> String {
        let lines = lines.map { reversed ? String($0.reversed()) : $0 }
        return (["-----BEGIN RSA PRIVATE KEY-----"] + lines + ["-----END RSA PRIVATE KEY-----"]).joined(separator: "\n")
    }

    private func log(_ body: String, type: String = "text/plain") -> HAR.Log {
        .sample(.sample("GET", "https://a.test/", body: body, type: type))
    }

    @Test(arguments: [true, false])
    func `no line of a private key is shown`(isAdded: Bool) async throws {
        let first = isAdded ? "none\n" : "hello\n\(Self.key(reversed: false))\nbye 1"
        let run = try await HarRun.diff(log(first), log("hello\n\(Self.key(reversed: true))\nbye 2"))
        #expect(run.status == 1)
        for line in Self.lines {
            #expect(!run.output.contains(line.prefix(12)) && !run.output.contains(String(line.reversed()).prefix(12)))
        }
        #expect(run.output.contains(isAdded ? "+ body line 16: bye 2" : "body line 16: bye 1 → bye 2"), "\(run.output)")
        #expect(isAdded || run.output.contains("    body line 3: REDACTED (only a secret differs)\n"), "\(run.output)")
    }

    @Test func `a value that an element on another line names is not shown`() async throws {
        func body(_ secret: String, _ value: String) -> String {
            "<r>\n<password>\n\(secret)\n</password>\n<v>\(value)</v></r>"
        }
        let expected = """
                body line 3: ••• (only a secret differs)
                body line 5: <v>one</v></r> → <v>two</v></r>
            0 added, 0 removed, 1 changed, 0 equal

            """
        let responses = try await HarRun.diff(
            log(body("abc12", "one"), type: "text/xml"), log(body("xyz99", "two"), type: "text/xml"))
        #expect(responses.output == "~ 0 → 0 GET https://a.test/\n" + expected)
        let requests = try await HarRun.diff(
            .sample(.post(body("abc12", "one"), type: "text/xml")),
            .sample(.post(body("xyz99", "two"), type: "text/xml")))
        #expect(
            requests.output
                == "~ 0 → 0 POST https://a.test/post\n" + expected.replacing("    body", with: "    request body"))
    }

    @Test func `a long line in which only a secret differs is shown around the placeholder`() async throws {
        func entry(_ secret: String) -> HAR.Entry {
            let filler = String(repeating: "<x/>", count: 40)
            return .post("<a>\(filler)<Password>\(secret)</Password>\(filler)</a>", type: "text/xml")
        }
        let run = try await HarRun.diff(.sample(entry("abcd1234")), .sample(entry("wxyz9876")))
        #expect(run.output.contains("…/><x/><x/><Password>•••</Password><x/>"), "\(run.output)")
        #expect(run.output.contains("… (only a secret differs)\n"), "\(run.output)")
    }

    @Test func `the names and attributes of cookies are shown`() async throws {
        func log(_ cookie: String) -> HAR.Log {
            self.log("x").settingHeader(HAR.Header(name: "Set-Cookie", value: cookie))
        }
        let run = try await HarRun.diff(log("a=secret1; Secure; HttpOnly"), log("a=secret1"), "--all")
        #expect(run.output.contains("    header set-cookie: a=•••; Secure; HttpOnly → a=•••\n"), "\(run.output)")
    }
}

extension HAR.Log {
    fileprivate func settingHeader(_ header: HAR.Header) -> HAR.Log {
        var log = self
        log.entries[0].response.headers = [header]
        return log
    }
}
