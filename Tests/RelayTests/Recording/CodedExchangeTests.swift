import Foundation
import Testing

@testable import RelayCore

@Suite(.limited) struct CodedExchangeTests {
    /// Records an exchange whose body has a content coding, and returns the body in the recording.
    private func recorded(_ body: Data, coding: String) async -> Data {
        let exchanges = RecordedExchanges()
        let receiver = ExchangeReceiver(queue: BackgroundQueue(label: "CodedExchangeTests"), receive: exchanges.append)
        let fields = [HeaderField(name: "Content-Encoding", value: coding)]
        receiver.take(SpooledBody(body), weight: body.count, codedBy: fields) { decoded in
            CapturedExchange(
                request: InterceptedRequest(method: "GET", url: "http://a.test/"), start: Date(), body: decoded)
        }
        return await exchanges.one.body.data
    }

    @Test func `a body that is much larger without its content codings is recorded without them`() async throws {
        // The letter a, 500,000 times, compressed twice.
        let text = "H4sIAAAAAAACA5Pv5mAAASbmtwcbQYzDCtd+ess8CWVkGAXDHXzImd25JlFhITsDALH0FpMHAgAA"
        let body = try #require(Data(base64Encoded: text))
        #expect(await recorded(body, coding: "gzip, gzip") == Data(repeating: UInt8(ascii: "a"), count: 500_000))
        #expect(await recorded(body, coding: "gzip").count == 519)
    }

    @Test(arguments: ["gzip", "deflate", "unknown"])
    func `a body without its declared coding is recorded unchanged`(coding: String) async {
        #expect(await recorded(Data("plain text".utf8), coding: coding) == Data("plain text".utf8))
    }
}
