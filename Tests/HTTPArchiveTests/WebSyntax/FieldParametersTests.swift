import HTTPArchive
import Testing

@Suite(.limited) struct FieldParametersTests {
    @Test(arguments: [
        ("", "", [:]), (";", "", [:]), (";;;", "", [:]), ("a", "a", [:]), (" a ; b = c ", "a", ["b": "c"]),
        ("form-data; name=\"a;\\\"b\"; filename=\"c\\\\\"", "form-data", ["name": "a;\"b", "filename": "c\\"]),
        ("a; b=1; B=2", "a", ["b": "1"]), ("a; b", "a", [:]), ("a; =b", "a", ["": "b"]), ("a; b=", "a", ["b": ""]),
        ("a; b=\"", "a", ["b": "\""]), ("a; b=\"\"", "a", ["b": ""]), ("a; b=\"c; d=e", "a", ["b": "\"c; d=e"]),
        ("a; b=c=d", "a", ["b": "c=d"]), ("a; b=\"\\", "a", ["b": "\"\\"]),
        ("a;b=\"é\u{301}\"", "a", ["b": "é\u{301}"]),
        ("a;\u{A0}b\u{3000}=\u{2003}ü", "a", ["b": "ü"]), ("\"a;b\"; c=d", "\"a;b\"", ["c": "d"]),
        ("a; b=\"x\\\\\"; c=d", "a", ["b": "x\\", "c": "d"]), ("a;\r\n\tb=c", "a", ["b": "c"]),
    ])
    func `a value and its parameters are parsed`(text: String, value: String, parameters: [String: String]) {
        let field = FieldParameters(text)
        #expect(field.value == value)
        #expect(field.parameters == parameters)
    }

    @Test(arguments: [
        ("a: b", "a", "b"), ("a:b:c\r\n", "a", "b:c"), (":", "", ""), (" a :\tb ", "a", "b"),
        (":status: 200", "", "status: 200"),
    ])
    func `a line is split at its first colon`(line: String, name: String, value: String) {
        #expect(FieldLine(line[...])?.name == name[...])
        #expect(FieldLine(line[...])?.value == value[...])
    }

    @Test(arguments: ["", "a", "\r\n", "a b"])
    func `a line without a colon is not a field`(line: String) {
        #expect(FieldLine(line[...]) == nil)
    }
}

@Suite(.limited) struct CookiePairTests {
    @Test(arguments: [
        ("", [["-", ""]]), ("a=b", [["a", "b"]]), (" a = b ; c=d=e", [["a", "b"], ["c", "d=e"]]),
        (";", [["-", ""], ["-", ""]]),
        ("a", [["-", "a"]]), ("=a", [["", "a"]]), ("a=;b", [["a", ""], ["-", "b"]]), ("é=ü", [["é", "ü"]]),
        ("a=\"b c\"", [["a", "\"b c\""]]), ("a=\tb\r\n", [["a", "b"]]),
    ])
    func `cookies are split at semicolons and the first equals sign`(text: String, pairs: [[String]]) {
        let found = CookieText.parts(of: text.utf8).map { part in
            let pair = CookieText(part)
            return [pair.name.map { String(Substring($0)) } ?? "-", pair.text]
        }
        #expect(found == pairs)
    }

    @Test func `attribute names are lowercased, with or without a value`() {
        #expect(CookieText(" HttpOnly ").attribute == "httponly")
        #expect(CookieText("Path=/A").attribute == "path")
        #expect(CookieText("Path=/A").text == "/A")
    }

    @Test func `slices of a buffer have the buffer's offsets`() {
        let bytes: [UInt8] = Array("a=1; ".utf8) + [0xFF] + Array(" = \u{80}".utf8)
        let offsets: [Int] = bytes.withUnsafeBytes { bytes in
            CookiePair<UnsafeRawBufferPointer>.parts(of: bytes).flatMap { part -> [Int] in
                let pair = CookiePair<UnsafeRawBufferPointer>(part)
                return [pair.name?.startIndex ?? -1, pair.value.startIndex, pair.value.endIndex]
            }
        }
        #expect(offsets == [0, 2, 3, 5, 9, 11])
    }
}
