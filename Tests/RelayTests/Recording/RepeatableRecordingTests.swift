import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RepeatableRecordingTests {
    private var settings: RecordingConfiguration {
        var settings = RecordingConfiguration()
        settings.repeatable = RecordingConfiguration.Repeatable()
        return settings
    }

    /// Returns an exchange with a fixed body, and with dates, timings and a connection that depend on the number.
    private func exchange(_ number: Int) -> CapturedExchange {
        let date = ["Thu, 01 Jan 2026 00:00:01 GMT", "Fri, 02 Jan 2026 11:22:33 GMT"][number]
        let expires = ["Fri, 02 Jan 2026 00:00:03 GMT", "Sat, 03 Jan 2026 11:22:33 GMT"][number]
        let fields = [
            ("Content-Type", "text/plain"), ("Date", date), ("x-request-id", "\(number)"), ("ETag", "\"1\""),
            ("Set-Cookie", "b=1; Expires=\(expires); Path=/"), ("Set-Cookie", "a=2; Max-Age=5; expires=\(expires)"),
        ]
        var exchange = CapturedExchange.exchange(
            requested: ["Traceparent": "\(number)", "Accept": "*/*"], received: Data("same".utf8))
        exchange.start = Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 1e5)
        let ordered = number == 0 ? fields : [fields[3], fields[4], fields[5], fields[0], fields[1], fields[2]]
        exchange.head?.headers = ordered.map { HeaderField(name: $0.0, value: $0.1) }
        exchange.timings = CapturedExchange.Timings(send: 1, wait: Double(number), receive: 2)
        exchange.wire.responseHeadersSize = 100 + number
        exchange.wire.requestHeadersSize = 50 + number
        exchange.wire.serverIPAddress = "127.0.0.\(number)"
        exchange.wire.connection = "\(number)"
        return exchange
    }

    @Test func `identical responses are recorded as identical bytes`() throws {
        let first = try exchange(0).entry(settings)
        let second = try exchange(1).entry(settings)
        #expect(JSONValue.object(first.fields).data() == JSONValue.object(second.fields).data())
        #expect(try exchange(0).entry() != exchange(1).entry())
        #expect(try first.findings() == [])
    }

    @Test func `the remaining header fields are sorted, and expiry dates of cookies become lifetimes`() throws {
        let entry = try exchange(0).entry(settings)
        #expect(entry.startedDateTime == "2000-01-01T00:00:00.000Z")
        #expect(entry.time == 0)
        #expect(entry.request.headers == [HAR.Header(name: "Accept", value: "*/*")])
        #expect(
            entry.response.headers == [
                HAR.Header(name: "Content-Type", value: "text/plain"), HAR.Header(name: "ETag", value: "\"1\""),
                HAR.Header(name: "Set-Cookie", value: "b=1; Max-Age=86400; Path=/"),
                HAR.Header(name: "Set-Cookie", value: "a=2; Max-Age=5"),
            ])
        #expect(entry.response.cookies.map(\.expires) == ["2000-01-02T00:00:00.000Z", "2000-01-01T00:00:05.000Z"])
    }

    @Test func `a deleted cookie stays deleted`() throws {
        var exchange = exchange(0)
        exchange.head?.headers = [
            HeaderField(name: "Set-Cookie", value: "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
            HeaderField(name: "Set-Cookie", value: "b=; Expires=never"),
        ]
        #expect(try exchange.entry(settings).response.headers.map(\.value) == ["a=; Max-Age=0", "b="])
    }

    @Test func `the omitted fields are configurable`() throws {
        var settings = settings
        settings.repeatable?.volatileHeaders.remove("Date")
        settings.repeatable?.volatileHeaders.insert("etag")
        let names = try exchange(0).entry(settings).response.headers.map(\.name)
        #expect(names == ["Content-Type", "Date", "Set-Cookie", "Set-Cookie"])
    }
}
