import Foundation
import HTTPArchive
import Testing

/// Secrets in tables, statements and other formats, and similar text without secrets.
@Suite(.limited) struct SecretFormatTests {
    private static func expect(_ text: String, _ redacted: String, as type: String) throws {
        let redactor = try HARRedactor.test()
        #expect(redactor.masked(text, as: type) == redacted)
        #expect(redactor.masked(redacted, as: type) == redacted)
        let keyed = redactor.redacted(body: Data(text.utf8), mediaType: type)
        #expect(redactor.redacted(body: keyed, mediaType: type) == keyed)
    }

    @Test(arguments: [
        ("text/csv", "user,password\nann,hunter2\nbob,7\n", "user,password\nann,REDACTED\nbob,REDACTED\n"),
        ("text/csv", "user,password\r\n\"a, b\",\"h\"\"2\"\r\n", "user,password\r\n\"a, b\",\"REDACTED\"\r\n"),
        ("text/csv", "password\nhunter2", "password\nREDACTED"),
        ("text/csv", "\u{FEFF}\"n\";\"api_key\"\n1;\"h2\"\n", "\u{FEFF}\"n\";\"api_key\"\n1;\"REDACTED\"\n"),
        ("text/csv", "a,password\n1,\"x\ny\"\n2,z\n", "a,password\n1,\"REDACTED\"\n2,REDACTED\n"),
        ("text/csv", "a,password\n1,\"x\n2,z\n", "a,password\n1,REDACTED\n2,REDACTED\n"),
        ("text/csv", "name,value\ncolor,red\npassword,h2\n", "name,value\ncolor,red\npassword,REDACTED\n"),
        ("text/csv", "a,password_changed_at,token_count\nx,2020-01-01,42\n", nil),
        ("text/tab-separated-values", "user\tpin\tcity\nann\t1234\tRome", "user\tpin\tcity\nann\tREDACTED\tRome"),
        ("text/plain", "user|secret|x\nann|h2|y\n", "user|secret|x\nann|REDACTED|y\n"),
        ("", "id;name;Access Token\n1;ann;h2\n", "id;name;Access Token\n1;ann;REDACTED\n"),
        ("application/json", #"{"a":"user,password\nann,h2\n"}"#, #"{"a":"user,password\nann,REDACTED\n"}"#),
        ("text/plain", "Dear Ann, your password\nhas expired, please hurry42\n", nil),
        ("text/plain", "Ann, your token\nis here, bye42", nil), ("text/plain", "a,token\nb\nc,d42", nil),
    ])
    func `columns with the name of a secret are redacted`(type: String, text: String, redacted: String?) throws {
        try Self.expect(text, redacted ?? text, as: type)
    }

    @Test(arguments: [
        ("INSERT INTO u (name, password) VALUES ('ann', 'h2')", "INSERT INTO u (name, password) VALUES ('ann', '_')"),
        (
            "insert into `u`(`id`,`password`,n) values (1,'h2','('), (2, 'h(3', 'o''x'),\n(3,'h''4',5);",
            "insert into `u`(`id`,`password`,n) values (1,'_','('), (2, '_', 'o''x'),\n(3,'_',5);"
        ),
        (
            "INSERT INTO [u] ([n], [Password]) VALUES (N'a', N'h2')",
            "INSERT INTO [u] ([n], [Password]) VALUES (N'a', N'_')"
        ),
        ("INSERT INTO u (n, password) VALUES (1, MD5('h2'))", "INSERT INTO u (n, password) VALUES (1, MD5('_'))"),
        ("INSERT INTO u (pin, n) VALUES (123456, 77)", "INSERT INTO u (pin, n) VALUES ('_', 77)"),
        ("INSERT INTO u (n, password) VALUES ('a', 'secret')", "INSERT INTO u (n, password) VALUES ('a', '_')"),
        ("UPDATE u SET n='a', password = 'h2' WHERE id=7", "UPDATE u SET n='a', password = '_' WHERE id=7"),
        ("UPDATE u SET password=MD5('h2'), n='a'", "UPDATE u SET password=MD5('_'), n='a'"),
        ("SELECT n FROM u WHERE \"password\"='h''2' OR n='x'", "SELECT n FROM u WHERE \"password\"='_' OR n='x'"),
        (
            "DELETE FROM u WHERE token IN ('h2', 'h3') OR n IN ('x')",
            "DELETE FROM u WHERE token IN ('_', '_') OR n IN ('x')"
        ),
        ("INSERT INTO u (n, password_hint) VALUES ('a', 'pet')", nil),
        ("INSERT INTO u (n, password) VALUES (?, ?), (:n, :password), ($1, $2), (NULL, DEFAULT)", nil),
        ("CREATE TABLE u (n TEXT, password TEXT)", nil), ("f(name, password) values", nil),
    ])
    func `values in SQL are redacted`(text: String, redacted: String?) throws {
        let redacted = redacted?.replacing("'_'", with: "'REDACTED'") ?? text
        try Self.expect(text, redacted, as: "text/plain")
        let query = #"{"query":\#(JSONValue.string(JSONString(text)).compactText)}"#
        let expected = #"{"query":\#(JSONValue.string(JSONString(redacted)).compactText)}"#
        try Self.expect(query, expected, as: "application/json")
    }

    @Test(arguments: [
        (
            #"a:2:{s:4:"user";s:3:"ann";s:8:"password";s:7:"hunter2";}"#,
            #"a:2:{s:4:"user";s:3:"ann";s:8:"password";s:8:"REDACTED";}"#
        ),
        (#"O:1:"U":1:{s:11:"\#0U\#0password";s:2:"h"";}"#, #"O:1:"U":1:{s:11:"\#0U\#0password";s:8:"REDACTED";}"#),
        (#"token|s:2:"h2";n|i:4;"#, #"token|s:8:"REDACTED";n|i:4;"#),
        (#"a:1:{i:0;s:11:"/a?token=h2";}"#, #"a:1:{i:0;s:17:"/a?token=REDACTED";}"#),
        (#"a:1:{s:5:"field";s:8:"password";s:4:"type";s:1:"x";}"#, nil),
        ("['user' => 'ann', 'password' => 'h2',];", "['user' => 'ann', 'password' => 'REDACTED',];"),
        ("$password = 'h2'; $a[\"token\"] = \"h3\";", "$password = 'REDACTED'; $a[\"token\"] = \"REDACTED\";"),
        ("define('DB_PASSWORD', 'h2'); define('DB', 'a');", "define('DB_PASSWORD', 'REDACTED'); define('DB', 'a');"),
        ("'password' => env('DB_PASSWORD', 'h2')", "'password' => env('DB_PASSWORD', 'REDACTED')"),
        ("'password' => Hash::make('secret')", "'password' => Hash::make('REDACTED')"),
        ("[\"token\"]=>\n  string(2) \"h2\"\n", "[\"token\"]=>\n  string(2) \"REDACTED\"\n"),
        ("'password' => env('DB_PASSWORD'), 'x' => 1", nil), ("define('PASSWORD_LABEL', 'Password');", nil),
    ])
    func `values in PHP are redacted`(text: String, redacted: String?) throws {
        try Self.expect(text, redacted ?? text, as: "text/plain")
    }

    @Test(arguments: [
        (
            #"<select name="token"><option value="">Any</option><option value="h2" selected>First</option></select>"#,
            #"<select name="token"><option value="">Any</option><option value="REDACTED" selected>First</option></select>"#
        ),
        (
            "<SELECT id=apiKey><option>h2<option value='h3'>x",
            "<SELECT id=apiKey><option>REDACTED<option value='REDACTED'>x"
        ),
        (#"<datalist id="token"><option value="h2">"#, #"<datalist id="token"><option value="REDACTED">"#),
        (
            "<select name=pin><option value=h2></select><select name=country><option value=h3>",
            "<select name=pin><option value=REDACTED></select><select name=country><option value=h3>"
        ),
        (#"<select name="country"><option value="FR33" selected>France</option></select>"#, nil),
        (#"<select name="password"><option>Please choose one</option><option>None</option></select>"#, nil),
        (
            "<script nonce=\"h2\">a()</script><style nonce=h3>",
            "<script nonce=\"REDACTED\">a()</script><style nonce=REDACTED>"
        ),
        (
            #"<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-h2' 'self'">"#,
            #"<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-REDACTED' 'self'">"#
        ),
    ])
    func `choices in lists and nonces in HTML are redacted`(text: String, redacted: String?) throws {
        try Self.expect(text, redacted ?? text, as: "text/html")
    }

    @Test(arguments: [
        "reset", "password_reset", "confirm", "verify-email", "invite", "magic-link", "account/activate",
        "accept-invitation", "resetpassword", "verifyEmail", "unsubscribe",
    ])
    func `a token after a word such as reset is redacted`(path: String) throws {
        let tokens = [
            "8f14e45fceea167a", "abc123", "550e8400-e29b-41d4-a716-446655440000", "MQ/c1q2w3-8f14e45fceea167a",
            "aBcDeFgHiJkL",
        ]
        for token in tokens {
            let last = token.hasPrefix("MQ/") ? "MQ/REDACTED" : "REDACTED"
            let redactor = try HARRedactor.test().masked
            #expect(
                redactor.redacted(url: "https://a.test/\(path)/\(token)?x=1") == "https://a.test/\(path)/\(last)?x=1")
            try Self.expect("<a href=\"/\(path)/\(token)\">", "<a href=\"/\(path)/\(last)\">", as: "text/html")
            try Self.expect(
                "Open https://a.test/\(path)/\(token).", "Open https://a.test/\(path)/\(last).", as: "text/plain")
        }
        for word in [
            "filters", "email", "team", "how-it-works-in-detail", "2026-11-27", "step2", "team-42", "order-12345",
        ] {
            try Self.expect("https://a.test/\(path)/\(word)", "https://a.test/\(path)/\(word)", as: "text/plain")
        }
    }

    @Test(arguments: [
        ("https://ghp_xxx@github.com/a", "https://REDACTED@github.com/a"),
        ("https://a1b2c3d4@a.test/", "https://REDACTED@a.test/"),
        ("https://glpat-abcdef:@a.test/", "https://REDACTED:@a.test/"), ("https://ann@a.test/", nil),
        ("ssh://git@github.com/a", nil), ("https://first.last@a.test/", nil), ("https://oauth2@a.test/", nil),
        ("https://a.test/?nonce=h2&n=1", "https://a.test/?nonce=REDACTED&n=1"),
        (
            "/?__cf_chl_tk=h2&__cf_chl_f_tk=h3&__cf_chl_rt_tk=h4",
            "/?__cf_chl_tk=REDACTED&__cf_chl_f_tk=REDACTED&__cf_chl_rt_tk=REDACTED"
        ),
        ("/?cf_clearance=h2&user[__cf_bm]=h3", "/?cf_clearance=REDACTED&user[__cf_bm]=REDACTED"),
    ])
    func `user names that look like tokens, nonces and the tokens of Cloudflare are redacted`(
        url: String, redacted: String?
    ) throws {
        #expect(try HARRedactor.test().masked.redacted(url: url) == redacted ?? url)
    }

    @Test(arguments: [
        (
            "Content-Security-Policy", "script-src 'self' 'nonce-h2' 'strict-dynamic'; style-src 'nonce-abcd=='",
            "script-src 'self' 'nonce-REDACTED' 'strict-dynamic'; style-src 'nonce-REDACTED'"
        ),
        (
            "WWW-Authenticate", #"Digest realm="r", nonce="h2", qop="auth", cnonce="h3""#,
            #"Digest realm="r", nonce="REDACTED", qop="auth", cnonce="REDACTED""#
        ),
        ("Replay-Nonce", "h2", "REDACTED"), ("X-Note", "A nonce is used once; nonce: see below, nonce-based", nil),
    ])
    func `nonces in header fields are redacted`(name: String, value: String, redacted: String?) throws {
        #expect(try HARRedactor.test().masked.redacted(header: value, named: name) == redacted ?? value)
    }

    private static let encodings: [(String.Encoding, mark: [UInt8])] = [
        (.utf16LittleEndian, []), (.utf16BigEndian, []), (.utf32LittleEndian, []), (.utf32BigEndian, []),
        (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
        (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
    ]

    @Test(arguments: encodings.indices)
    func `bodies in UTF-16 and UTF-32 are redacted`(index: Int) throws {
        let (encoding, mark) = Self.encodings[index]
        let redactor = try HARRedactor.test().masked
        for (type, text) in [
            ("application/json", #"{"user":"Änn 😀","password":"h2","n":"\u00e4"}"#),
            ("application/x-www-form-urlencoded", "user=ann&password=h2"), ("", "password=h2 for Änn"),
            ("text/html; charset=utf-16", "<p>Ä 😀</p><input name='token' value='h2'>"),
            ("text/csv", "user,password\nann,h2\n"),
        ] {
            func encoded(_ text: String) throws -> Data { Data(mark) + (try #require(text.data(using: encoding))) }
            let redacted = try encoded(text.replacing("h2", with: "REDACTED"))
            #expect(redactor.redacted(body: try encoded(text), mediaType: type) == redacted, "\(type)")
            #expect(redactor.redacted(body: redacted, mediaType: type) == redacted, "\(type)")
        }
    }

    @Test func `UTF-16 in Base64 is redacted`() throws {
        func encoded(_ text: String) throws -> String {
            try #require(text.data(using: .utf16LittleEndian)).base64EncodedString()
        }
        let command = "Login-Shop -Name ann; $password = 'h2'"
        let redacted = try encoded(command.replacing("h2", with: "REDACTED"))
        try Self.expect(
            "powershell -EncodedCommand \(try encoded(command))", "powershell -EncodedCommand \(redacted)",
            as: "text/plain")
    }

    @Test func `bytes that are invalid in UTF-16 are unchanged, and the charset alone does not decide`() throws {
        let redactor = try HARRedactor.test().masked
        func encoded(_ text: String) throws -> Data { try #require(text.data(using: .utf16LittleEndian)) }
        let invalid = Data([0x00, 0xD8, 0x41, 0x00, 0x00, 0xDC])
        let body = Data([0xFF, 0xFE]) + invalid + (try encoded(" password='h2' "))
        let expected = Data([0xFF, 0xFE]) + invalid + (try encoded(" password='REDACTED' "))
        #expect(redactor.redacted(body: body + [7], mediaType: nil) == expected + [7])
        let chinese = try encoded(String(repeating: "你好", count: 12) + " password=h2")
        let type = "text/plain; charset=UTF-16LE"
        #expect(redactor.redacted(body: chinese, mediaType: type).count == chinese.count + 12)
        try Self.expect("password=h2", "password=REDACTED", as: type)
    }
}

extension JSONValue {
    /// The compact text of the value.
    fileprivate var compactText: String { String(decoding: data(layout: .compact), as: UTF8.self) }
}
