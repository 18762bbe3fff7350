import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct OldCallSiteTests {
    private let carrier = NotingSession(body: #"{"value":7}"#)

    @Test func `calls without await return the model`() async throws {
        let code = OldCallSites(session: JSONSession(carrier))
        let urlRequest = URLRequest(url: try #require(URL(string: "https://a.test/own")))
        let values = try await blocking {
            try code.sendAndForget()
            return [try code.load(search: "x"), try code.loadRequest(urlRequest), try code.future().await()]
        }
        #expect(values == [7, 7, 7].map(Value.init))
        #expect(
            carrier.requests.map(\.url?.absoluteString) == [
                "https://mocktest.com/people/1", "https://mocktest.com/people?search=x", "https://a.test/own",
                "https://mocktest.com/people",
            ])
        #expect(carrier.requests.first?.httpMethod == "POST")
    }

    @Test func `calls in asynchronous code also return the model`() async throws {
        let code = OldCallSites(session: JSONSession(carrier))
        #expect(try await code.loadAsynchronously() == Value(value: 7))
        #expect(carrier.requests.count == 2)
    }

    @Test func `a failure is thrown by the call or while waiting`() async throws {
        let code = OldCallSites(session: JSONSession(NotingSession(status: 404, body: #"{"reason":"x"}"#)))
        await #expect {
            _ = try await blocking { try code.load(search: "x") }
        } throws: { error in
            if case RESTRequestError.statusCodeResponse(404, "because x") = error { true } else { false }
        }
    }
}
