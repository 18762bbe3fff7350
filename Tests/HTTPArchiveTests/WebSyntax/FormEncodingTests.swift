import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct FormEncodingTests {
    @Test(arguments: [
        ("", []), ("&", []), ("&&&", []), ("a", [["a", ""]]), ("=", [["", ""]]), ("=&=", [["", ""], ["", ""]]),
        ("a=b", [["a", "b"]]), ("a=b=c", [["a", "b=c"]]), ("=b", [["", "b"]]),
        ("&a=1&&b=2&", [["a", "1"], ["b", "2"]]),
        ("a+b=c+d", [["a b", "c d"]]), ("%61=%3D%26", [["a", "=&"]]), ("%2B=+", [["+", " "]]), ("a=%", [["a", "%"]]),
        ("a;b=c", [["a;b", "c"]]), ("é=ü", [["é", "ü"]]), ("a=1&a=2", [["a", "1"], ["a", "2"]]),
        ("a=\u{301}&\u{301}=b", [["a", "\u{301}"], ["\u{301}", "b"]]), ("a=\r\nb", [["a", "\r\nb"]]),
    ])
    func `a form is split at ampersands and equals signs, and decoded`(text: String, items: [[String]]) {
        let found = FormEncoding.items(of: text[...], invalidText: .repaired).map { [$0.name, $0.value] }
        #expect(found == items)
        #expect(FormEncoding.items(of: text[...], invalidText: .unchanged).map { [$0.name, $0.value] } == items)
    }

    @Test func `text that is not UTF-8 is repaired or left unchanged`() {
        let text = "%FF+=a%C3%28"
        let repaired = FormEncoding.items(of: text[...], invalidText: .repaired)
        #expect(repaired.map { [$0.name, $0.value] } == [["\u{FFFD} ", "a\u{FFFD}("]])
        let unchanged = FormEncoding.items(of: text[...], invalidText: .unchanged)
        #expect(unchanged.map { [$0.name, $0.value] } == [["%FF+", "a%C3%28"]])
        let bytes = Data([0xFF, 0x3D, 0xC3]) + Data("%A9".utf8)
        let found = bytes.withUnsafeBytes { FormEncoding.items(of: $0, invalidText: .repaired) }
        #expect(found.map { [$0.name, $0.value] } == [["\u{FFFD}", "é"]])
    }

    @Test(arguments: ["", "&", "a", "a=b&c&&=d", "=&=", "&=&"])
    func `joining the literal items returns the text without its empty items`(text: String) {
        let items = FormEncoding.literalItems(of: text[...])
        #expect(items.joined(separator: "&") == text.split(separator: "&").joined(separator: "&"))
        for item in items {
            let (name, value) = FormEncoding.literalParts(of: item)
            #expect(item == name || item == "\(name)=\(value)")
        }
    }

    @Test func `the name of an item is decoded`() {
        #expect(FormEncoding.name(of: "a+%62=c+d") == "a b")
        #expect(FormEncoding.name(of: "=x") == "")
        #expect(FormEncoding.name(of: "%FF") == "\u{FFFD}")
    }

    @Test func `ranges locate the items with their names and values`() {
        let text = Array("&ab=c&&d&=".utf8)
        let ranges = text.withUnsafeBytes { text in FormItemRanges(text).map { [$0.name, $0.value, $0.range] } }
        #expect(ranges == [[1..<3, 4..<5, 1..<5], [7..<8, 8..<8, 7..<8], [9..<9, 10..<10, 9..<10]])
    }

    @Test func `spaces are encoded as plus signs in a body, and as percent escapes in a query`() {
        let items: [FormEncoding.Item] = [("a b", "c+d&=é"), ("", ""), ("*-._~", "x")]
        #expect(
            String(decoding: FormEncoding.body(items.map { ($0.name, $0.value) }), as: UTF8.self)
                == "a+b=c%2Bd%26%3D%C3%A9&=&*-._%7E=x")
        #expect(FormEncoding.query(items) == "a%20b=c%2Bd%26%3D%C3%A9&=&%2A-._~=x")
        #expect(FormEncoding.body([("a", nil), ("b", "")]) == Data("a&b=".utf8))
        #expect(FormEncoding.body([]).isEmpty && FormEncoding.query([]).isEmpty)
    }

    @Test func `parsing an encoded form returns its items`() {
        let items: [FormEncoding.Item] = [("a b+c", "é&=%\r\n"), ("x", "")]
        for text in [
            FormEncoding.query(items), String(decoding: FormEncoding.body(items.map { ($0, $1) }), as: UTF8.self),
        ] {
            let found = FormEncoding.items(of: text[...], invalidText: .repaired)
            #expect(found.map { [$0.name, $0.value] } == items.map { [$0.name, $0.value] })
        }
    }
}
