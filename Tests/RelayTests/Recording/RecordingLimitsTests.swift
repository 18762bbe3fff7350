import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// The limits of an interceptor's reader, which also apply to the archive in which it records.
@Suite(.limited) struct RecordingLimitsTests {
    /// An archive that exceeds a default limit, and the setting that allows it.
    enum Excess: CaseIterable {
        case depth

        /// The value of a field of the log.
        var value: String { String(repeating: "[", count: 600) + String(repeating: "]", count: 600) }

        var reader: HARReader.Configuration {
            var reader = HARReader.Configuration()
            reader.maximumDepth = 1000
            return reader
        }
    }

    private let archives: TemporaryArchives
    private let server: LoopbackServer

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer { request in
            LoopbackServer.ok(
                request.target == "/large" ? String(repeating: "large ", count: 1000) : "live",
                headers: "Content-Type: text/plain\r\n")
        }
    }

    private var shop: URL { archives.folder.appendingPathComponent("Recordings/shop.har") }

    /// Writes an archive that has an entry for the path `/old` and another field.
    private func write(_ field: String = "null") throws {
        try FileManager.default.createDirectory(
            at: shop.deletingLastPathComponent(), withIntermediateDirectories: true)
        let log = HAR.Log(
            creator: HAR.Creator(name: "Tests", version: "1"), entries: [.entry("GET", server.url("/old"), text: "old")]
        )
        try log.write(to: shop)
        var text = try String(contentsOf: shop, encoding: .utf8)
        let start = try #require(text.range(of: #""version""#))
        text.replaceSubrange(start, with: #""_field":\#(field),"version""#)
        try Data(text.utf8).write(to: shop)
    }

    private func configuration(_ reader: HARReader.Configuration) -> Interceptor.Configuration {
        var configuration = Interceptor.Configuration.patient
        configuration.reader = reader
        return configuration
    }

    private func urls(_ reader: HARReader.Configuration) throws -> [String] {
        let archive = try HARArchive(contentsOf: shop, configuration: reader)
        return (0..<archive.count).map { archive.summary(at: $0).url }
    }

    @Test(
        arguments: Excess.allCases,
        [(ReplayMode.new, ["/old", "/new"]), (.all, ["/new"]), (.refresh(olderThan: .seconds(1)), ["/old", "/new"])])
    func `raised limits apply to the archive that a replay extends`(
        excess: Excess, mode: (ReplayMode, recorded: [String])
    ) async throws {
        try write(excess.value)
        let interceptor = try Interceptor.replaying(
            "shop", configuration: configuration(excess.reader), mode: mode.0, filePath: archives.sourceFile)
        #expect(try await interceptor.session().text(server.url("/new")) == "live")
        let report = try #require(await interceptor.finishRecording())
        #expect(report.failures.isEmpty && report.recordedCount == 1, "\(report.failures)")
        #expect(try urls(excess.reader) == mode.recorded.map(server.url))
    }

    @Test(arguments: Excess.allCases)
    func `raised limits apply to the archive that a recording extends`(excess: Excess) async throws {
        try write(excess.value)
        let interceptor = try Interceptor(recordingTo: shop, configuration: configuration(excess.reader))
        _ = try await interceptor.session().text(server.url("/new"))
        #expect(await interceptor.finishRecording()?.failures.isEmpty == true)
        #expect(try urls(excess.reader) == ["/old", "/new"].map(server.url))
    }

    @Test(arguments: Excess.allCases)
    func `raised limits apply to an archive that is opened for each request`(excess: Excess) async throws {
        try write(excess.value)
        let target = RequestArchive(shop, keepingOpen: OpenArchives())
        let interceptor = Interceptor(recordingRequestsInto: target, configuration: configuration(excess.reader))
        _ = try await interceptor.session().text(server.url("/new"))
        #expect(await interceptor.settleRecording().isEmpty)
        #expect(try urls(excess.reader) == [server.url("/new")])
    }

    @Test(arguments: Excess.allCases)
    func `raised limits apply to the archive that a replay of entries in memory extends`(excess: Excess) async throws {
        try write(excess.value)
        let interceptor = Interceptor(
            entries: [], name: "none", folder: nil, failures: [:], recordingInto: shop,
            configuration: configuration(excess.reader))
        _ = try await interceptor.session().text(server.url("/new"))
        #expect(await interceptor.finishRecording()?.failures.isEmpty == true)
        #expect(try urls(excess.reader) == ["/old", "/new"].map(server.url))
    }

    @Test func `an entry that the replay could not read is not added to the archive`() async throws {
        try write()
        var reader = HARReader.Configuration()
        reader.maximumValueSize = 3000
        let interceptor = try Interceptor.replaying(
            "shop", configuration: configuration(reader), mode: .new, filePath: archives.sourceFile)
        _ = try await interceptor.session().text(server.url("/large"))
        let report = try #require(await interceptor.finishRecording())
        #expect(report.failures.map(\.code) == [.limitExceeded])
        #expect(report.failures.first?.message.contains("maximumValueSize") == true)
        #expect(try urls(reader) == [server.url("/old")])
    }

    @Test func `the limits apply to body files of entries in memory`() throws {
        try Data(count: 100).write(to: archives.folder.appendingPathComponent("body.bin"))
        var content = HAR.Content(size: 100, mimeType: "text/plain", text: nil)
        content.fields["_file"] = "body.bin"
        var reader = HARReader.Configuration()
        for (limit, isAllowed) in [(99, false), (100, true)] {
            reader.maximumValueSize = limit
            let interceptor = Interceptor(
                entries: [.entry(body: content)], folder: archives.folder, configuration: configuration(reader))
            #expect((try? interceptor.response().body.count) == (isAllowed ? 100 : nil))
        }
    }
}
