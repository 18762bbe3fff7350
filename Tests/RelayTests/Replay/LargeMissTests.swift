import Foundation
import HTTPArchive
import Synchronization
import Testing

@testable import RelayCore

/// Misses of large requests, which cost little.
@Suite(.limited) struct LargeMissTests {
    private static let items = (0..<6000).map { "k\($0)=\($0)" }.joined(separator: "&")

    /// Returns the message for a miss among many entries, and the number of entries that were read.
    private func miss(
        _ request: InterceptedRequest, matching: RequestMatching = .standard
    ) -> (message: String, count: Int) {
        let reads = Atomic(0)
        let items = (0..<200).map { "k\($0)=x" }.joined(separator: "&")
        let source = ReplaySource(
            name: "/folder/a.har", count: 2000, request: { (request.method, "http://a/items?\(items)&n=\($0)") },
            entry: { index in
                reads.add(1, ordering: .relaxed)
                return .entry(request.method, "http://a/items?\(items)&n=\(index)")
            })
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        let layers = ArchiveLayers([source, source], configuration: configuration)
        let message = layers.miss(for: request).message
        for line in message.split(separator: "\n") where !line.hasPrefix("To ") && !line.hasPrefix("None ") {
            #expect(line.count <= 80, "\(line)")
        }
        return (message, reads.load(ordering: .relaxed))
    }

    @Test(arguments: [
        "items?\(items)", "items?k=" + String(repeating: "a", count: 60_000),
        "items?" + [String](repeating: "k1=z", count: 12_000).joined(separator: "&"),
        "items/" + String(repeating: "a/", count: 30_000), String(repeating: "%41", count: 20_000),
        "items?token=" + String(repeating: "hidden", count: 10_000),
    ])
    func `the entries nearest to a long URL are compared up to a limit`(path: String) {
        let url = "http://a/\(path)"
        let (message, count) = miss(.init(url: url))
        #expect(count <= 12)
        #expect(message.contains("http://a/… (\(NormalizedURL(url).description.utf8.count) bytes)"))
        #expect(message.utf8.count < 4000)
        #expect(!message.contains("hidden"))
    }

    @Test(arguments: [RequestMatching.strict, .methodURLAndBody], [false, true])
    func `large bodies are not compared`(matching: RequestMatching, isCoded: Bool) {
        let fields = [HeaderField(name: "Content-Type", value: "application/json")]
        let coding = isCoded ? [HeaderField(name: "Content-Encoding", value: "gzip")] : []
        let body = Data(repeating: 0x31, count: isCoded ? 100_000 : 1_000_000)
        let request = InterceptedRequest(
            method: "POST", url: "http://a/items?n=1", headers: fields + coding, body: body)
        let (message, count) = miss(request, matching: matching)
        #expect(count == 0)
        #expect(message.contains("is not compared, because the requests are too large"))
    }

    @Test func `a message does not contain the folders of archives`() {
        #expect(miss(.init(url: "http://a/items?n=x")).message.contains("  a.har, entry "))
    }

    @Test(arguments: ["query", "header", "form", "part", "GraphQL"])
    func `the number of described differences is limited`(part: String) throws {
        let values = (0..<1000).map { "k\($0)=\($0)" }.joined(separator: "&")
        let parts = (0..<1000).map { "--b\r\nContent-Disposition: form-data; name=\"k\($0)\"\r\n\r\nx\r\n" }.joined()
        let operations = (0..<1000).map { #"{"operationName": "Q\#($0)", "query": "query Q { a }"}"# }
        let (request, other, type): (String, String, String?) =
            switch part {
            case "form": (values, values.replacing("=", with: "=x"), "application/x-www-form-urlencoded")
            case "part": (parts + "--b--", parts.replacing("x", with: "y") + "--b--", "multipart/form-data; boundary=b")
            case "GraphQL":
                (
                    "[\(operations.joined(separator: ","))]",
                    "[\(operations.joined(separator: ",").replacing(":", with: ": ").replacing("Q", with: "R"))]",
                    "application/json"
                )
            default: ("", "", nil)
            }
        func compared(_ body: String, _ suffix: String) -> ComparedRequest {
            let fields = (0..<1000).map { HeaderField(name: "x-\($0)", value: part == "header" ? suffix : "") }
            let content = type.map { [HeaderField(name: "Content-Type", value: $0)] } ?? []
            return ComparedRequest(
                .init(
                    method: "POST",
                    url: "http://a/" + (part == "query" ? "?" + values.replacing("=", with: "=" + suffix) : ""),
                    headers: fields + content, body: Data(body.utf8)))
        }
        let matcher: RequestMatcher = part == "GraphQL" ? .graphQL : .all(of: [.url, .headers(), .body])
        let verdict = matcher.verdict(requested: compared(request, "a"), recorded: compared(other, "b"))
        #expect(verdict.differences.count == MatchDifference.limit)
        #expect(verdict.differences.allSatisfy { $0.part == part })
    }

    @Test func `a long item is described by its size`() {
        let item = "n=" + String(repeating: "a", count: 6000)
        #expect(MessageRedaction.standard.item(item[...]) == "6002 bytes")
        #expect(MessageRedaction.standard.item(item.prefix(1000)) == item.prefix(1000))
    }

    @Test(arguments: [(0, WorkSize.small), (8192, .small), (8193, .medium), (1 << 20, .large), (.max, .unlimited)])
    func `work has a size`(count: Int, size: WorkSize) { #expect(WorkSize(count) == size) }
}
