import ArchiveShapes
import HTTPArchive
import Testing

/// Tests of ``EndpointShapes`` with its public API.
@Suite struct EndpointShapesTests {
    private func shapes(_ exchanges: [(method: String, url: String, status: Int, body: String)]) -> EndpointShapes {
        exchanges.reduce(into: EndpointShapes()) { shapes, exchange in
            let content = HAR.Content(size: nil, mimeType: "application/json", text: exchange.body)
            let response = HAR.Response(status: exchange.status, headers: [], content: content)
            shapes.add(
                HAR.Entry(
                    startedDateTime: "", time: 0, request: HAR.Request(method: exchange.method, url: exchange.url),
                    response: response, timings: HAR.Timings(send: 0, wait: 0, receive: 0)))
        }
    }

    private var shop: EndpointShapes {
        shapes([
            ("GET", "http://a.example/items/1?page=2", 200, #"{"id":1,"class":"x","a b":null}"#),
            ("GET", "http://a.example/items/2", 200, #"{"id":2,"class":"y","string":{"id":1}}"#),
            ("GET", "http://a.example/items/3", 404, #"{"error":"none"}"#),
            ("GET", "http://a.example/list", 200, #"[{"n":1},{"n":"x"}]"#),
        ])
    }

    @Test func `groups paths and describes them as OpenAPI`() {
        let document = shop.openAPI
        let operation = document["paths"]?["/items/{id}"]?["get"]
        #expect(operation?["operationId"]?.text == "getItemsById")
        #expect(operation?["parameters"]?.array?.compactMap { $0["name"]?.text } == ["id", "page"])
        #expect(operation?["responses"]?.object?.members.map(\.name.text) == ["200", "404", "default"])
        let schema = operation?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["required"]?.array?.compactMap(\.text) == ["id", "class"])
        #expect(document["servers"]?.array?.compactMap { $0["url"]?.text } == ["http://a.example"])
    }

    @Test func `writes Swift types with valid names`() {
        let source = shop.swiftTypes
        #expect(source.contains("struct GetItemsByIdResponse: Codable, Sendable {\n    var id: Int\n"))
        #expect(source.contains("    var `class`: String\n"))
        #expect(source.contains("    var aB: JSON?\n"))
        #expect(source.contains("    var string: StringValue?\n"))
        #expect(source.contains(#"        case aB = "a b""#))
        #expect(source.contains("typealias GetListResponse = [GetListResponseElement]\n"))
        #expect(source.contains("    var n: JSON\n"))
    }

    @Test func `ignores entries without a response or an HTTP URL`() {
        let shapes = shapes([("GET", "data:,x", 200, "{}"), ("GET", "http://a.example/", 0, "{}")])
        #expect(shapes.openAPI["paths"]?.object?.members.isEmpty == true)
        #expect(shapes.omittedCount == 0)
    }

    @Test func `names in generated code are unique and harmless`() {
        let hostile = shapes([
            ("GET", "http://a.example/x-y", 200, #"{"a":1,"A":2,"\"\\(1)\n":3,"":4,"1":{"b":1},"_1":{"b":2}}"#),
            ("GET", "http://a.example/xY", 200, "{}"), ("GET", "http://a.example/*%2F%0Afatal", 200, "[]"),
        ])
        let source = hostile.swiftTypes
        let types = source.split(separator: "\n").filter { $0.hasPrefix("struct ") }.map { $0.prefix { $0 != ":" } }
        #expect(Set(types).count == types.count)
        #expect(source.contains(#"= "\"\\(1)\u{a}""#))
        #expect(!source.contains("\n(1)"))
    }

    @Test func `comments in generated code have no control characters`() throws {
        var request = HAR.Request(method: "POST", url: "http://a.example/graphql")
        request.postData = HAR.PostData(
            mimeType: "application/json", text: #"{"operationName":"a\u001b[31m\n}\u202ex"}"#)
        let content = HAR.Content(size: 2, mimeType: "application/json", text: "{}")
        var shapes = EndpointShapes()
        shapes.add(
            HAR.Entry(
                startedDateTime: "", time: 0, request: request,
                response: HAR.Response(status: 200, headers: [], content: content),
                timings: HAR.Timings(send: 0, wait: 0, receive: 0)))
        #expect(shapes.swiftTypes.contains("/// The body of POST /graphql (a [31m } x).\n"))
    }
}
