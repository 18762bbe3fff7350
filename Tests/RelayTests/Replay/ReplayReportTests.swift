import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ReplayReportTests {
    private func layers(_ archives: [[HAR.Entry]]) -> ArchiveLayers {
        ArchiveLayers(
            archives.enumerated().map { ReplaySource($1, name: "\($0).har") },
            configuration: Interceptor.Configuration())
    }

    @Test func `a report lists the used entries, the unused entries, and the misses`() {
        let layers = layers([
            [.entry(), .entry("post", "http://u:p@a/?token=x&y")], [.entry("GET", "http://b/")],
        ])
        #expect(layers.report.archives.map(\.usedCount) == [0, 0])
        for _ in 0..<3 { _ = layers.play(.request()) }
        _ = layers.play(.request("GET", "http://b/"))
        #expect(!layers.report.isComplete)
        let error = layers.miss(for: .request("get", "http://u:p@c/?password=x"))
        let report = layers.report
        #expect(report.archives.map(\.name) == ["0.har", "1.har"])
        #expect(report.archives.map(\.entryCount) == [2, 1])
        #expect(report.archives.map(\.usedCount) == [1, 1])
        #expect(report.archives[0].unused.map(\.index) == [1])
        #expect(report.archives[0].unused.map(\.method) == ["POST"])
        #expect(report.archives[0].unused.map(\.url) == ["http://a/?token=•••&y"])
        #expect(report.archives[1].unused.map(\.index).isEmpty)
        #expect(report.misses.map(\.url) == ["http://c/?password=•••"])
        #expect(report.misses.map(\.method) == ["GET"])
        #expect(report.misses.first?.error.message == error.message)
        #expect(
            report.description == """
                0.har: 1 of 2 entries used
                  unused  entry 1  POST http://a/?token=•••&y
                1.har: 1 of 1 entry used
                1 request missed
                  missed  GET http://c/?password=•••
                """)
    }

    @Test func `a replay without unused entries or misses is complete`() {
        let layers = layers([[.entry()]])
        _ = layers.play(.request())
        #expect(layers.report.isComplete)
        _ = layers.miss(for: .request("GET", "http://b/"))
        #expect(!layers.report.isComplete)
    }

    @Test func `a truncated archive is reported, and its complete entries are replayed`() throws {
        let archives = try TemporaryArchives()
        let file = try archives.write("shop.har", saying: "whole")
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: handle.seekToEnd() - 5)
        try handle.close()
        let layers = ArchiveLayers(
            [ReplaySource(of: try HARArchive(contentsOf: file)), ReplaySource([.entry()], name: "other.har")],
            configuration: Interceptor.Configuration())
        #expect(layers.play(.request()) != nil)
        let report = layers.report
        #expect(report.archives.map(\.damage?.code) == [.malformedJSON, nil])
        #expect(report.description.contains("\n  damaged  its end is missing"))
        #expect(report.description.components(separatedBy: "damaged").count == 2)
    }

    @Test func `the number of listed misses is limited, but all misses are counted`() {
        let layers = layers([[]])
        for number in 0..<1_010 { _ = layers.miss(for: .request("GET", "http://a/\(number)")) }
        let report = layers.report
        #expect(report.misses.count == 1_000 && report.missCount == 1_010)
        #expect(report.misses.last?.url == "http://a/999")
        #expect(report.description.hasSuffix("… and 1000 more"))
    }

    @Test func `a long list of unused entries is shortened`() {
        let report = layers([(0..<15).map { .entry("GET", "http://a/\($0)") }]).report
        #expect(report.description.contains("entry 9 ") && !report.description.contains("entry 10 "))
        #expect(report.description.contains("… and 5 more"))
        #expect(report.archives[0].unused.map(\.index) == Array(0..<15))
    }
}
