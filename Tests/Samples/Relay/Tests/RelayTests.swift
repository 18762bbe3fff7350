import Foundation
import Relay
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests in the Swift 5 language mode, with an interceptor and with the API of the original Relay.
final class RelayTests: XCTestCase {
    private let url = URL(string: "https://shop.example/items")!

    func testStub() async throws {
        let interceptor = Interceptor()
        interceptor.add(.stub("shop.example/items", .jsonValue(["apples"])))
        let (data, _) = try await interceptor.session().data(from: url)
        XCTAssertEqual(String(decoding: data, as: UTF8.self), #"["apples"]"#)
        XCTAssertTrue(interceptor.report.isComplete)
    }

    func testRecordingInMemory() async throws {
        let interceptor = Interceptor(recordingInMemory: "sample")
        _ = try? await interceptor.session().data(from: URL(string: "http://127.0.0.1:9/")!)
        let entries = await interceptor.recordedEntries
        XCTAssertEqual(entries.count, 1)
    }

    func testOriginalRelay() {
        let processor = Relay.recordAndReplay(isRecordingEnabled: false, urlKeywords: ["shop.example"])
        XCTAssertNotNil(processor)
    }
}
