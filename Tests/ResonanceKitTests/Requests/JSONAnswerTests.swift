import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct JSONAnswerTests {
    private func perform<Model: Decodable & Sendable>(
        _: Model.Type, status: Int, body: String
    ) async throws -> Model {
        let session = JSONSession(NotingSession(status: status, body: body))
        return try await JSONRequest<Model, Failure>(method: .get, path: "x", session: session).perform()
    }

    /// Returns the status and the message of a failed request.
    private func failure(status: Int, body: String) async -> String {
        do {
            _ = try await perform(Value.self, status: status, body: body)
            return "none"
        } catch JSONRequest<Value, Failure>.RESTRequestError.statusCodeResponse(let status, let message) {
            return "\(status) \(message)"
        } catch RESTRequestError.unableToDecodeErrorResponse {
            return "unable"
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test(arguments: [200, 201, 299])
    func `a response is decoded as the model`(status: Int) async throws {
        #expect(try await perform(Value.self, status: status, body: #"{"value":7}"#) == Value(value: 7))
    }

    @Test func `an empty response is decoded as an empty object`() async throws {
        struct Optional: Decodable { let value: Int? }
        #expect(try await perform(Optional.self, status: 204, body: "").value == nil)
    }

    @Test(arguments: [199, 300, 404, 500])
    func `a failure is decoded as the error model`(status: Int) async {
        #expect(await failure(status: status, body: #"{"reason":"it rains"}"#) == "\(status) because it rains")
    }

    @Test func `a failure in another format throws unableToDecodeErrorResponse`() async {
        #expect(await failure(status: 500, body: "<html>") == "unable")
        #expect(await failure(status: 500, body: "") == "unable")
    }

    @Test func `a response in another format throws a decoding error`() async {
        #expect(await failure(status: 200, body: "<html>") == "DecodingError")
    }

    @Test func `a response that is not HTTP throws badResponse`() async throws {
        struct Other: NetworkSession {
            func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
                CoFuture {
                    let url = try #require(request.url)
                    let response = URLResponse(
                        url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
                    return (Data(), response)
                }
            }
        }
        let request = JSONRequest<Nothing, Failure>(method: .get, path: "x", session: JSONSession(Other()))
        await #expect {
            try await request.perform()
        } throws: { error in
            if case RESTRequestError.badResponse = error { true } else { false }
        }
    }

    @Test func `errors have descriptions`() {
        let errors: [RESTRequestError] = [
            .invalidURL, .badResponse, .unableToDecodeErrorResponse, .badParameter,
            .statusCodeResponse(statusCode: 404, message: "not there"),
        ]
        #expect(Set(errors.map(\.localizedDescription)).count == errors.count)
        #expect(errors.last?.localizedDescription == "not there")
    }

    @Test func `an error of the session is thrown`() async throws {
        struct Broken: NetworkSession {
            func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
                throw URLError(.notConnectedToInternet)
            }
        }
        let request = JSONRequest<Nothing, Failure>(method: .get, path: "x", session: JSONSession(Broken()))
        await #expect(throws: URLError(.notConnectedToInternet)) { try await request.perform() }
    }
}
