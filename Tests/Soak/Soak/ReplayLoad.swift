import Foundation
import FoundationNetworking
import HTTPArchive
import Relay

/// Requests whose responses come from an archive, with or without overrides, or from stubs.
final class ReplayLoad: Sendable {
    /// A request and its expected result.
    struct Plan: Sendable {
        let request: URLRequest
        let expectation: Expectation
    }

    private static let entryCount = 20_000
    private static let orderCount = 1_000
    private static let host = "http://shop.example"

    private let interceptor: Interceptor
    private let client = Client()
    private let session: URLSession

    /// A session that is intercepted only within a scope.
    private let plainSession: URLSession

    /// Creates and opens the archive.
    ///
    /// - Parameter folder: The folder of the archive.
    /// - Throws: An error if the archive cannot be written or read.
    init(in folder: URL) throws {
        let archive = folder.appendingPathComponent("replayed.har")
        let writer = try HARWriter(to: archive)
        let log = HAR.Log(creator: HAR.Creator(name: "Soak", version: "1"))
        try writer.write(log) { () throws(HARError) in
            for number in 0..<Self.entryCount {
                try writer.append(Self.entry("/items/\(number)", Self.message(number)))
            }
            for number in 0..<Self.orderCount {
                try writer.append(Self.entry("/orders", Self.message(number), sending: Self.order(number)))
            }
        }
        try writer.finish()
        var configuration = Interceptor.Configuration()
        configuration.matching.required = [.method, .url(ignoringQueryItems: ["as"]), .body]
        interceptor = try Interceptor(archive: archive, configuration: configuration)
        interceptor.add(
            .stub("shop.example/stubs/*") { request in .message(Message(number: Self.number(in: request), size: 300)) },
            .stub("shop.example/moved/*") { request in .redirect(to: "/items/\(Self.number(in: request))") },
            .stub("shop.example/failing/*", .failure(.timedOut)),
            .stub("shop.example/slow/*") { request in .message(Message(number: Self.number(in: request), size: 600)) },
            .override("shop.example/slow/*", .delay(.milliseconds(5)), .bandwidth(bytesPerSecond: 200_000)),
            .stub("shop.example/cut/*") { request in .message(Message(number: Self.number(in: request), size: 600)) },
            .override("shop.example/cut/*", .cutOff(afterBytes: 100)),
            .override(
                "shop.example/items/*?as=*",
                .changing { request, response in
                    var response = response
                    response.body += Data(request.url.drop { $0 != "?" }.utf8)
                    return response
                }))
        session = interceptor.session(delegate: client)
        let plain = URLSessionConfiguration.ephemeral
        plain.urlCache = nil
        plainSession = URLSession(configuration: plain, delegate: client, delegateQueue: nil)
    }

    /// Requests all entries, so that the interceptor's caches are full before memory is measured.
    func fillCaches() async throws {
        for number in 0..<(2 * Self.entryCount) {
            _ = try await session.data(for: try Self.request("/items/\(number % Self.entryCount)"))
        }
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - generator: The random generator for the request.
    /// - Returns: The verdict and the URL of the request.
    /// - Throws: An error if a scope cannot be entered.
    func run(_ number: Int, using generator: inout SeededNumbers) async throws -> (Verdict, String) {
        let plan = try Self.plan(number, using: &generator)
        let call = Call(plan.request, using: &generator)
        let result =
            if generator.happens(0.5) {
                await call.result(from: client, by: session)
            } else {
                try await interceptor.interceptEverySession { await call.result(from: client, by: plainSession) }
            }
        return (call.verdict(on: result, expecting: plan.expectation), plan.request.url?.absoluteString ?? "")
    }

    private static func plan(_ number: Int, using generator: inout SeededNumbers) throws -> Plan {
        let entry = Int.random(in: 0..<entryCount, using: &generator)
        switch Double.random(in: 0..<1, using: &generator) {
        case ..<0.55: return Plan(request: try request("/items/\(entry)"), expectation: .message(message(entry)))
        case ..<0.65:
            let order = Int.random(in: 0..<orderCount, using: &generator)
            let body = Self.order(order)
            return Plan(request: try request("/orders", sending: body), expectation: .message(message(order)))
        case ..<0.78:
            let expected = Message(number: number, size: 300)
            return Plan(request: try request("/stubs/\(number)"), expectation: .message(expected))
        case ..<0.88:
            var expected = message(entry)
            expected.body += Data("?as=\(number)".utf8)
            return Plan(request: try request("/items/\(entry)?as=\(number)"), expectation: .message(expected))
        case ..<0.93:
            let expected = Message(number: number, size: 600)
            return Plan(request: try request("/slow/\(number)"), expectation: .message(expected))
        case ..<0.95: return Plan(request: try request("/moved/\(entry)"), expectation: .message(message(entry)))
        case ..<0.97:
            return Plan(request: try request("/failing/\(number)"), expectation: .failure(.timedOut))
        case ..<0.999:
            return Plan(request: try request("/cut/\(number)"), expectation: .failure(.networkConnectionLost))
        default: return Plan(request: try request("/missing/\(number)"), expectation: .miss)
        }
    }

    // MARK: - Requests and entries

    private static func message(_ number: Int) -> Message {
        Message(
            number: number, status: number % 50 == 7 ? 404 : 200, size: 200 + number % 1_700,
            isBinary: number % 10 == 3)
    }

    private static func order(_ number: Int) -> Data { Data("order \(number)".utf8) }

    private static func number(in request: InterceptedRequest) -> Int {
        request.url.split(separator: "/").last.flatMap { Int($0) } ?? -1
    }

    private static func request(_ path: String, sending body: Data? = nil) throws -> URLRequest {
        guard let url = URL(string: host + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        if let body {
            request.httpMethod = "POST"
            request.httpBody = body
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    private static func entry(_ path: String, _ message: Message, sending body: Data? = nil) -> HAR.Entry {
        var request = HAR.Request(method: body == nil ? "GET" : "POST", url: host + path)
        if let body {
            request.headers = [HAR.Header(name: "Content-Type", value: "text/plain")]
            request.postData = HAR.PostData(mimeType: "text/plain", text: String(decoding: body, as: UTF8.self))
        }
        let isText = message.type == "text/plain"
        let content = HAR.Content(
            size: message.body.count, mimeType: message.type,
            text: isText ? String(decoding: message.body, as: UTF8.self) : message.body.base64EncodedString(),
            encoding: isText ? nil : "base64")
        let response = HAR.Response(
            status: message.status, headers: [HAR.Header(name: Message.field, value: String(message.number))],
            content: content)
        return HAR.Entry(startedDateTime: "2026-01-01T00:00:00Z", request: request, response: response)
    }
}

extension Reply {
    /// Creates a response with a message.
    fileprivate static func message(_ message: Message) -> Reply {
        .data(
            message.body, type: message.type, status: message.status,
            headers: [HeaderField(name: Message.field, value: String(message.number))])
    }
}
