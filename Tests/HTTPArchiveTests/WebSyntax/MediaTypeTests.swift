import Testing

@testable import HTTPArchive

@Suite(.limited) struct MediaTypeTests {
    @Test func `types and parameters are parsed regardless of case and spacing`() throws {
        let type = try #require(MediaType(" Text/HTML ; Charset = \"utf-8\" ;q=1; x=\"a;\\\"b\" "))
        #expect(type.essence == "text/html")
        #expect(type.charset == "utf-8")
        #expect(type.parameters == ["charset": "utf-8", "q": "1", "x": "a;\"b"])
    }

    @Test(arguments: ["", "x-unknown", ";", "charset=utf-8"])
    func `a string without a type is not a media type`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `an empty charset is ignored, and the first of two is used`() {
        #expect(MediaType("text/html; charset=")?.charset == nil)
        #expect(MediaType("text/html; charset=a; charset=b")?.charset == "a")
    }
}
