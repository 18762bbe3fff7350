import Testing

@testable import HTTPArchive

@Suite struct MediaTypeTests {
    @Test func `type and parameters are read in any case and spacing`() throws {
        let type = try #require(MediaType(" Text/HTML ; Charset = \"utf-8\" ;q=1; x=\"a;\\\"b\" "))
        #expect(type.essence == "text/html")
        #expect(type.charset == "utf-8")
        #expect(type.parameters == ["charset": "utf-8", "q": "1", "x": "a;\"b"])
    }

    @Test(arguments: ["", "x-unknown", ";", "charset=utf-8"])
    func `what names no type is none`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `an empty charset is none, and of two the first counts`() {
        #expect(MediaType("text/html; charset=")?.charset == nil)
        #expect(MediaType("text/html; charset=a; charset=b")?.charset == "a")
    }
}
