import ArchiveInspection
import EntryConditions
import Foundation
import HTTPArchive
import RecordingFormats
package import RelayCore

/// The console for programs that use Innernet (`Innernet.enableExternalConsole`): receives their exchanges, and
/// responds to the requests that match a stub of the page.
package struct ConsoleResponder: Sendable {
    private let live: LiveTraffic

    /// The default port of the console.
    package static let port = 5069

    /// Creates a console that shows its traffic in a page.
    package init(_ live: LiveTraffic) { self.live = live }

    /// Returns the response to a request of a program.
    package func reply(to request: InterceptedRequest) async -> Reply {
        let url = NormalizedURL(request.url)
        // A web page cannot read the responses, and must not add exchanges.
        guard RequestHost(of: request.url)?.isLoopback == true, request.headers.values(named: "origin").isEmpty else {
            return .status(403)
        }
        switch (request.method, url.path) {
        case ("GET", "/intercept"): return .jsonValue(.array(intercepts))
        case ("POST", "/request"):
            guard let report = try? JSONValue(parsing: request.body ?? Data()), let entry = Self.entry(report) else {
                return .status(400)
            }
            live.append(entry)
            return .status(204)
        default: break
        }
        let parts = url.path.split(separator: "/")
        guard request.method == "GET", parts.count == 3, parts[0] == "intercept", parts[2] == "response",
            let rule = live.addedRules.first(where: { String($0.id) == parts[1] }), let stub = rule.value["stub"],
            let reply = try? await live.reply(ofStub: stub)
        else { return .status(404) }
        return reply
    }

    /// The stubs of the page, in the form of the console protocol, which has no pattern for all methods.
    private var intercepts: [JSONValue] {
        live.addedRules.flatMap { rule -> [JSONValue] in
            guard rule.value["stub"] != nil, let request = rule.value["request"]?.text else { return [] }
            let words = request.split(separator: " ", maxSplits: 1).map(String.init)
            let methods = words.count == 2 ? [words[0]] : EntryConditions.methods
            return methods.map {
                ["id": .text(String(rule.id)), "method": .text($0), "matchURL": .text(words.last)]
            }
        }
    }

    /// Returns the entry for a report of a program.
    private static func entry(_ report: JSONValue) -> HAR.Entry? {
        guard let url = report["url"]?.text, let method = report["method"]?.text else { return nil }
        func headers(_ name: String) -> [HAR.Header] {
            (report[name]?.object?.members ?? []).map { HAR.Header(name: $0.name.text, value: $0.value.text ?? "") }
        }
        func body(_ name: String) -> Data? { report[name]?.text.flatMap { Data(base64Encoded: $0) } }
        var exchange = RecordedExchange(start: Date(), url: url, status: max(0, report["statusCode"]?.int ?? 0))
        exchange.method = method
        (exchange.requestHeaders, exchange.requestBody) = (headers("reqHeaders"), body("reqBody"))
        (exchange.responseHeaders, exchange.responseBody) = (headers("resHeaders"), body("resBody"))
        if exchange.status == 0 { exchange.responseFields = [.init(name: "_error", value: "The request failed.")] }
        return exchange.entry
    }
}

extension LiveTraffic {
    /// Returns the response of a stub in the form of a rule file.
    fileprivate func reply(ofStub stub: JSONValue) async throws -> Reply {
        let interceptor = Interceptor(playing: [])
        defer { interceptor.stop() }
        interceptor.add(try parse(["rules": [["stub": stub]]]))
        let request = InterceptedRequest(url: "http://localhost/")
        let limit = TimeLimit(duration: .seconds(15), clock: interceptor.configuration.clock, subject: "The stub")
        return await interceptor.decision(on: request).reply(within: limit, live: nil)
    }
}
