import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct MultipartTests {
    /// Returns the names and contents of the parts.
    private func parts(_ body: String, _ tolerance: MultipartPart.Tolerance) -> [String] {
        Array(body.utf8).withUnsafeBytes { bytes in
            MultipartPart.Parts(of: bytes, boundary: Array("b".utf8), tolerance: tolerance).map { part in
                "\(part.name ?? "-")=\(String(decoding: bytes[part.content], as: UTF8.self))"
            }
        }
    }

    private let name = "Content-Disposition: form-data; name="

    @Test(arguments: ["\r\n", "\n"])
    func `parts have names and contents, regardless of the type of line break`(line: String) {
        let body = ["--b", "\(name)\"a;\\\"b\"", "X: y", "", "1", "2", "--b", name + "c", "", "", "--b--", ""]
            .joined(separator: line)
        let expected = ["a;\"b=1\(line)2", "c="]
        #expect(parts(body, .complete) == expected)
        #expect(parts(body, .all).prefix(2) == expected[...])
    }

    @Test(arguments: [
        ("", []), ("--b", []), ("--b--", []), ("--b\r\n", []), ("x", []), ("--b\n--b--", ["-="]),
        ("--b\n\nx\n--b--", ["-=x"]), ("--b\n\nx\n--b", ["-=x"]), ("--b\n\nx", []), ("--b\n\nx\n--c--", []),
        ("preamble\n--b\n\nx\n--b--\nepilogue", ["-=x"]), ("--b\n\nx--b--\n--b--", ["-=x--b--"]),
        ("--b\nx\n--b--", ["-=x"]), ("--b\nA: b\nx\n--b--", ["-=x"]), ("--b  \n\nx\n--b--", ["-=x"]),
        ("--b\n\nx\r\n\r\n--b--", ["-=x\r\n"]),
    ])
    func `complete parts end with a delimiter at the start of a line`(body: String, expected: [String]) {
        #expect(parts(body, .complete) == expected)
    }

    @Test(arguments: [
        ("", []), ("--b", []), ("--b\n\nx", ["-=x"]), ("\n\nx\n--b--", ["-=\nx"]),
        ("--b\n\nx--b\n\ny", ["-=x", "-=y"]), ("--b\n\nx\n--b--\nz", ["-=x", "-=z"]),
        ("Content-Disposition: a; name=p\n\nx\n--b--", ["p=x"]), ("--b\nContent-Disposition: a; name=p\nx", ["p=x"]),
        ("--b\nContent-Disposition: a; name=p\n\nx\r\n\r\ny\r\n", ["p=x\r\n\r\ny"]),
    ])
    func `with full tolerance, everything that could be a part is found`(body: String, expected: [String]) {
        #expect(parts(body, .all) == expected)
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=b", "--c\n", "b"), ("multipart/form-data; boundary=\"b c\"", "", "b c"),
        ("multipart/form-data", "--c\r\n", "c"), (nil, "--c", "c"), ("multipart/form-data; boundary=", "--c\n", "c"),
        (nil, "--\n", nil), (nil, "-c\n", nil), (nil, "", nil), (nil, "--" + String(repeating: "c", count: 201), nil),
    ])
    func `the boundary is taken from the media type, or else from the first line`(
        type: String?, body: String, boundary: String?
    ) {
        let found = Array(body.utf8).withUnsafeBytes {
            MultipartPart.boundary(of: $0, type: type.flatMap { MediaType($0) })
        }
        #expect(found == boundary.map { Array($0.utf8) })
    }

    @Test func `files have names and types, and bytes that are not text are unchanged`() throws {
        let head =
            "--b\r\ncontent-type: Image/PNG; x=y\r\ncontent-disposition:form-data; name=a; filename=\"f\"\r\n\r\n"
        let content = Data([0xFF, 0x0D, 0x0A, 0x00])
        let body = Data(head.utf8) + content + Data("\r\n--b--".utf8)
        let part = try #require(MultipartBody(body, type: nil)?.parts.first)
        #expect(part.name == "a" && part.fileName == "f" && part.type == "image/png" && part.content == content)
    }

    @Test func `an encoded body can be parsed again`() throws {
        let fields = [
            MultipartBody.Part(name: "a\"b\r\n", fileName: nil, type: nil, content: Data("1\r\n2".utf8)),
            MultipartBody.Part(name: "é", fileName: "ü.txt", type: "text/plain", content: Data()),
        ]
        let body = try #require(MultipartBody(MultipartBody.body(fields, boundary: "x"), type: nil))
        #expect(body.parts.map(\.name) == ["a%22b%0D%0A", "é"])
        #expect(body.parts.map(\.content) == [Data("1\r\n2".utf8), Data()])
        #expect(body.parts.map(\.fileName) == [nil, "ü.txt"])
        #expect(body.parts.map(\.type) == [nil, "text/plain"])
    }

    @Test func `a body with too many parts is not parsed`() {
        let body = { (count: Int) in Data((String(repeating: "--b\n\n\n", count: count) + "--b--").utf8) }
        let type = MediaType("multipart/form-data; boundary=b")
        #expect(MultipartBody(body(100_000), type: type)?.parts.count == 100_000)
        #expect(MultipartBody(body(100_001), type: type) == nil)
    }
}
