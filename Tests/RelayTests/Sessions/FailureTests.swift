import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct FailureTests {
    private static let miss = RelayError(.noMatchingEntry, "No entry for GET https://example.com/")
    private let url = URL("https://example.com/")

    private func interceptor(_ error: any Error) -> Interceptor { .with(.stub(.any, .error(error))) }

    @Test func `an awaited call throws the original error`() async {
        let session = interceptor(Self.miss).session()
        let error = await #expect(throws: RelayError.self) { try await session.data(from: url) }
        #expect(error?.code == .noMatchingEntry)
        #expect(error?.localizedDescription == Self.miss.description)
    }

    @Test func `a completion handler receives the original error`() async {
        let error: (any Error)? = await withCheckedContinuation { continuation in
            interceptor(Self.miss).session().dataTask(with: url) { continuation.resume(returning: $2) }.resume()
        }
        #expect((error as? RelayError)?.code == .noMatchingEntry)
        #expect(error?.localizedDescription == Self.miss.description)
    }

    @Test func `a delegate receives the original error`() async {
        let delegate = RecordingDelegate()
        let session = interceptor(Self.miss).session(delegate: delegate)
        let error = await delegate.run(session.dataTask(with: url))
        #expect((error as? RelayError)?.code == .noMatchingEntry)
        #expect(delegate.log.events == ["end"])
    }

    @Test(arguments: [URLError.Code.timedOut, .cannotFindHost, .cancelled, .networkConnectionLost])
    func `a URL loading error keeps its code`(code: URLError.Code) async {
        let session = interceptor(URLError(code)).session()
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == code)
    }

    @Test(arguments: [Int.min, -1, 0, 99, 1000, Int.max])
    func `a response with an invalid HTTP status fails`(status: Int) async {
        let session = Interceptor.responding { $0.reply(status: status) }.session()
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == .badServerResponse)
    }
}
