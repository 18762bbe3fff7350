// swift-format-ignore-file

import Foundation
import Relay

/// The answers of an archive as rules.
enum ShopItemsStubs {
    private static var reply0: Reply {
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

    private static var reply1: Reply {
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

    private static var reply2: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/items",
                status: 201,
                headers: [
                    HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8"),
                ],
                body: Data("one \u{2028} #{x} \\(y)".utf8)))
    }

    private static var reply3: Reply {
        .response(
            InterceptedResponse(
                url: "https://shop.test/items",
                status: 409,
                headers: [
                    HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8"),
                ],
                body: Data("two".utf8)))
    }

    private static var reply4: Reply {
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

    private static var reply5: Reply {
        .failure(.cannotConnectToHost)
    }

    /// The rules, the latest of which counts where several fit.
    static var rules: [Rule] {
        var rules: [Rule] = []
        rules.append(
            .stub(
                RequestPattern.method("GET").and(.exactly("https://shop.test/gone")),
                reply5))
        rules.append(
            .stub(
                RequestPattern.method("GET").and(.exactly("https://shop.test/a.png")),
                reply4))
        rules.append(
            .stub(
                RequestPattern.exactly("https://shop.test/items")
                    .and(.where { $0.method == "POST" && $0.body == Data("{\"id\": 2}".utf8) }),
                reply3))
        rules.append(
            .stub(
                RequestPattern.exactly("https://shop.test/items")
                    .and(.where { $0.method == "POST" && $0.body == Data("{\"id\": 1}".utf8) }),
                reply2))
        rules.append(
            .stub(
                RequestPattern.method("GET").and(.exactly("https://shop.test/items")),
                inOrder: reply0, reply1))
        return rules
    }
}
