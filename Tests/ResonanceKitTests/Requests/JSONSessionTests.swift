import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct JSONSessionTests {
    private struct Person: Codable, Equatable {
        var birthYear: Int
        var created: Date
        var photo: Data
    }

    private static let person = Person(
        birthYear: 19, created: Date(timeIntervalSince1970: 1_000), photo: Data("ada".utf8))
    private static let json = #"{"birth_year":19,"created":1000,"photo":"YWRh"}"#

    private func fields(_ session: JSONSession, headers: [String: String] = [:]) async throws -> [String: String] {
        let carrier = NotingSession()
        session.urlSession = carrier
        try await JSONRequest<Nothing, Failure>(method: .get, path: "x", session: session, headers: headers).perform()
        var fields = try #require(carrier.requests.last?.allHTTPHeaderFields)
        #expect(fields.removeValue(forKey: "Content-Type") == "application/json")
        #expect(fields.removeValue(forKey: "Accept") == "*/*")
        return fields
    }

    @Test func `the token and header fields are sent, together or separately`() async throws {
        let session = JSONSession(baseURL: "https://mocktest.com")
        #expect(try await fields(session) == [:])
        session.headers = ["X-Of-Session": "1"]
        #expect(try await fields(session) == ["X-Of-Session": "1"])
        session.authToken = "Bearer t"
        #expect(try await fields(session) == ["X-Of-Session": "1", "Authorization": "Bearer t"])
        session.headers = [:]
        #expect(try await fields(session) == ["Authorization": "Bearer t"])
    }

    @Test func `the token overrides a session's field, and the request's own fields override both`() async throws {
        let session = JSONSession(baseURL: "https://mocktest.com")
        session.headers = ["authorization": "Basic x", "X": "1"]
        session.authToken = "Bearer t"
        #expect(try await fields(session).mapKeysToLowercase == ["authorization": "Bearer t", "x": "1"])
        let own = ["AUTHORIZATION": "own", "x": "2"]
        #expect(try await fields(session, headers: own).mapKeysToLowercase == ["authorization": "own", "x": "2"])
    }

    @Test func `the strategies apply to both coders and to copies of the session`() async throws {
        let session = JSONSession(NotingSession(body: Self.json))
        session.keyDecodingStrategy = .convertFromSnakeCase
        session.dateDecodingStrategy = .secondsSince1970
        session.dataDecodingStrategy = .base64
        session.keyEncodingStrategy = .convertToSnakeCase
        session.dateEncodingStrategy = .secondsSince1970
        session.dataEncodingStrategy = .base64
        for session in [session, JSONSession(session: session)] {
            let request = JSONRequest<Person, Failure>(method: .get, path: "x", session: session)
            #expect(try await request.perform() == Self.person)
            request.encoder.outputFormatting = .sortedKeys
            #expect(String(decoding: try request.encoder.encode(Self.person), as: UTF8.self) == Self.json)
        }
    }

    @Test func `the default strategies are the defaults of the coders`() async throws {
        let session = JSONSession(NotingSession(body: #"{"birthYear":19,"created":0,"photo":"YWRh"}"#))
        let request = JSONRequest<Person, Failure>(method: .get, path: "x", session: session)
        #expect(try await request.perform().created == Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test func `the data strategies apply to decoding and encoding`() async throws {
        let session = JSONSession(NotingSession(body: #"{"birthYear":1,"created":0,"photo":[97]}"#))
        session.dataDecodingStrategy = .deferredToData
        session.dataEncodingStrategy = .deferredToData
        let copy = JSONRequest<Person, Failure>(method: .get, path: "x", session: JSONSession(session: session))
        #expect(try await copy.perform().photo == Data("a".utf8))
        #expect(String(decoding: try copy.encoder.encode([Data("a".utf8)]), as: UTF8.self) == "[[97]]")
    }

    @Test func `a copy has the same base URL, header fields, token and session, but is independent`() async throws {
        let carrier = NotingSession()
        let session = JSONSession(carrier, baseURL: "https://a.test/v1/")
        session.headers = ["X": "1"]
        session.authToken = "t"
        let copy = JSONSession(session: session)
        session.headers = [:]
        session.authToken = ""
        session.urlSession = NotingSession()
        try await JSONRequest<Nothing, Failure>(method: .get, path: "x", session: copy).perform()
        let sent = try #require(carrier.requests.last)
        #expect(sent.url?.absoluteString == "https://a.test/v1/x")
        #expect(sent.value(forHTTPHeaderField: "X") == "1")
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "t")
    }
}

extension [String: String] {
    fileprivate var mapKeysToLowercase: [String: String] {
        Dictionary(uniqueKeysWithValues: map { ($0.lowercased(), $1) })
    }
}
