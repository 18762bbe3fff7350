import ArchiveChecking
import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct RecordedFailureTests {
    private static let codes: [URLError.Code] = [
        .badServerResponse, .badURL, .cancelled, .cannotConnectToHost, .cannotDecodeContentData, .cannotDecodeRawData,
        .cannotFindHost, .cannotParseResponse, .dnsLookupFailed, .httpTooManyRedirects, .networkConnectionLost,
        .notConnectedToInternet, .secureConnectionFailed, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .serverCertificateUntrusted, .timedOut,
        .unsupportedURL, .clientCertificateRequired, .resourceUnavailable, .userAuthenticationRequired,
    ]

    private func entry(_ error: any Error) throws -> HAR.Entry {
        try CapturedExchange.exchange(status: nil, error: error).entry()
    }

    @Test(arguments: codes)
    func `a failure is replayed with the same code`(code: URLError.Code) throws {
        let entry = try entry(URLError(code))
        #expect(entry.response.status == 0)
        #expect(entry.response.statusText == "")
        #expect(entry.response["_error"]?.text?.hasPrefix("net::ERR_") == true)
        let error = #expect(throws: URLError.self) {
            try Interceptor(entries: [entry]).response("GET", "http://a.example/")
        }
        #expect(error?.code == code)
        // The only possible findings are the failure and the unknown HTTP version.
        #expect(Set(try entry.findings().map(\.rule)).isSubset(of: [.failedRequest, .unknownHTTPVersion]))
    }

    @Test(arguments: [
        URLError.Code.cannotFindHost, .timedOut, .cannotConnectToHost, .notConnectedToInternet, .networkConnectionLost,
        .secureConnectionFailed, .httpTooManyRedirects, .cancelled, .badServerResponse, .dnsLookupFailed,
    ])
    func `the message alone identifies common error codes`(code: URLError.Code) throws {
        var entry = try entry(URLError(code))
        entry.response[RecordedFailure.codeField] = nil
        let error = #expect(throws: URLError.self) {
            try Interceptor(entries: [entry]).response("GET", "http://a.example/")
        }
        #expect(error?.code == code)
    }

    @Test func `an error from another domain is recorded without its code and message`() throws {
        let response = try entry(HARError(.unreadableFile, "secret")).response
        #expect(response["_error"] == "net::ERR_FAILED")
        #expect(response[RecordedFailure.codeField] == nil)
        #expect(try entry(CancellationError()).response["_error"] == "net::ERR_ABORTED")
    }

    private func brokenOff(_ body: String = "the start", encoding: String? = nil) throws -> HAR.Entry {
        var exchange = CapturedExchange.exchange(
            fields: ["Content-Type": "text/plain", "Content-Length": "1000"], received: Data(body.utf8),
            error: URLError(.timedOut))
        if let encoding { exchange.head?.headers.append(HeaderField(name: "Content-Encoding", value: encoding)) }
        return try exchange.entry()
    }

    @Test func `a failed transfer is recorded as a failure, with the received bytes`() throws {
        let entry = try brokenOff()
        #expect(entry.response.status == 200)
        #expect(entry.response.content.text == "the start")
        #expect(entry.response.content.size == 9)
        #expect(entry.response["_error"] == "net::ERR_TIMED_OUT")
        #expect(entry.failure != nil)
        #expect(try entry.findings() == [])
    }

    @Test(arguments: ["the start", ""])
    func `the bytes of a failed transfer are delivered before the error`(body: String) async throws {
        let delegate = RecordingDelegate()
        let interceptor = Interceptor(entries: [try brokenOff(body)])
        let session = interceptor.session(delegate: delegate)
        for _ in 1...2 {
            let error = await delegate.run(session.dataTask(with: URL("http://a.example/")))
            #expect((error as? URLError)?.code == .timedOut)
        }
        let once = ["response 200"] + (body.isEmpty ? [] : ["data \(body)"]) + ["end"]
        #expect(delegate.log.events == once + once)
        await #expect(throws: URLError.self) { try await session.data(from: URL("http://a.example/")) }
    }

    @Test func `the recorded Content-Length is delivered unless the body was encoded`() throws {
        for (encoding, length) in [(nil, "1000"), ("gzip", "9")] {
            let interceptor = Interceptor(entries: [try brokenOff(encoding: encoding)])
            let reply = interceptor.decide(on: InterceptedRequest(url: "http://a.example/")).decision.immediateReply
            #expect(try reply?.result.get().headers.values(named: "content-length") == [length])
        }
    }

    @Test func `a failed transfer without a recorded body and a failed redirect deliver only the error`() throws {
        var entry = try brokenOff()
        entry.response.content.text = nil
        let error = #expect(throws: URLError.self) {
            try Interceptor(entries: [entry]).response("GET", "http://a.example/")
        }
        #expect(error?.code == .timedOut)
        entry = try brokenOff()
        entry.response.status = 302
        entry.response.redirectURL = "/next"
        #expect(throws: URLError.self) { try Interceptor(entries: [entry]).response("GET", "http://a.example/") }
    }
}
