import Foundation
import ResonanceKit
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests that wait on the main thread, on which XCTest runs synchronous tests.
final class MainThreadCase: XCTestCase {
    func testMainThreadServesItsRunLoopWhileItWaits() throws {
        XCTAssertTrue(Thread.isMainThread)
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"value":7}"#) }
        // The response arrives on the main queue, which runs its blocks only while the run loop runs.
        let carrier = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
        let session = JSONSession(carrier, baseURL: server.url("/"))
        let request = JSONRequest<Value, Failure>(method: .get, path: "x", session: session)
        XCTAssertEqual(try request.perform().await(), Value(value: 7))
    }

    func testCoroutinesRunBesideATestThatWaits() throws {
        let mocks = try MocksFolder(["Test.json": "[\(JSONMockServerTests.mock(10))]"])
        let server = try JSONMockServer(baseURL: mocks.url)
        let found = expectation(description: "found")
        let missed = expectation(description: "missed")
        DispatchQueue.global().startCoroutine {
            let session = JSONSession(JSONMockServerSession(mockServer: server))
            let request = JSONRequest<Value, Failure>(method: .get, path: "/test", session: session)
            XCTAssertEqual(try request.perform().await().value, 10)
            found.fulfill()
            let other = JSONRequest<Value, Failure>(method: .get, path: "/testfail", session: session)
            XCTAssertThrowsError(try other.perform().await())
            missed.fulfill()
        }
        wait(for: [found, missed], timeout: 3600)
    }
}
