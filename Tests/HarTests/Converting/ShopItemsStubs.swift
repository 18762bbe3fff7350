// swift-format-ignore-file

import Foundation
import Relay

/// Rules that return the responses of an archive.
enum ShopItemsStubs {
    private static var response0: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/items",
                status: 200,
                statusText: "OK",
                headers: [
                    HeaderField(name: "Content-Type", value: "application/json"),
                ],
                body: Data("{\"items\": [\"\\\"Grüße\\\"\"]}\n".utf8)))
    }

    private static var response1: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/items",
                status: 200,
                statusText: "OK",
                headers: [
                    HeaderField(name: "Content-Type", value: "application/json"),
                    HeaderField(name: "Set-Cookie", value: "a=\"1\\2\""),
                ],
                body: Data("[]".utf8)))
    }

    private static var response2: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/items",
                status: 201,
                headers: [
                    HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8"),
                ],
                body: Data("one \u{2028} #{x} \\(y)".utf8)))
    }

    private static var response3: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/items",
                status: 409,
                headers: [
                    HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8"),
                ],
                body: Data("two".utf8)))
    }

    private static var response4: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/a.png",
                status: 200,
                statusText: "OK",
                headers: [
                    HeaderField(name: "Content-Type", value: "image/png"),
                ],
                body: Data(base64Encoded: "iVBORw0K") ?? Data()))
    }

    private static var response5: Reply {
        .failure(.cannotConnectToHost)
    }

    /// The rules; later rules take precedence.
    static var rules: [Rule] {
        var rules: [Rule] = []
        rules.append(
            .stub(
                RequestPattern.method("GET").and(.exactly("https://shop.test/gone")),
                response5))
        rules.append(
            .stub(
                RequestPattern.method("GET").and(.exactly("https://shop.test/a.png")),
                response4))
        rules.append(
            .stub(
                RequestPattern.exactly("https://shop.test/items")
                    .and(.where { $0.method == "POST" && $0.body == Data("{\"id\": 2}".utf8) }),
                response3))
        rules.append(
            .stub(
                RequestPattern.exactly("https://shop.test/items")
                    .and(.where { $0.method == "POST" && $0.body == Data("{\"id\": 1}".utf8) }),
                response2))
        rules.append(
            .stub(
                RequestPattern.method("GET").and(.exactly("https://shop.test/items")),
                inOrder: response0, response1))
        return rules
    }
}
