import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct OpenedArchivesTests {
    private let archives: TemporaryArchives
    private let opened = OpenedArchives(limit: 2)

    init() throws { archives = try TemporaryArchives() }

    /// Returns an object that is replaced when the archive is opened again.
    private func identity(of url: URL, _ configuration: Interceptor.Configuration = .init()) throws -> KeyIndexes {
        try opened.entries(of: url, configuration: configuration).indexes
    }

    @Test func `an archive is opened once by concurrent callers`() async throws {
        let url = try archives.write("a.har", saying: "a")
        let identities = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            let first = try identity(of: url)
            for _ in 1...20 { group.addTask { ObjectIdentifier(try identity(of: url)) } }
            return try await group.reduce(into: Set([ObjectIdentifier(first)])) { $0.insert($1) }
        }
        #expect(identities.count == 1)
    }

    @Test func `a changed archive is opened again`() throws {
        let url = try archives.write("a.har", saying: "a")
        let first = try identity(of: url)
        try archives.write("a.har", saying: "longer")
        #expect(try identity(of: url) !== first)
        let entries = try opened.entries(of: url, configuration: .init())
        #expect(try Interceptor(name: "a", playing: [entries], configuration: .init()).text() == "longer")
    }

    @Test func `an archive that was just modified is opened again, because another change may go undetected`() throws {
        let url = try archives.write("a.har", saying: "a", isSettled: false)
        let first = try identity(of: url)
        #expect(try identity(of: url) !== first)
    }

    @Test func `opening a deleted archive fails`() throws {
        let url = try archives.write("a.har", saying: "a")
        _ = try identity(of: url)
        try FileManager.default.removeItem(at: url)
        #expect(throws: HARError.self) { try identity(of: url) }
    }

    @Test func `the most recently used archives are kept open`() throws {
        let urls = try ["a", "b", "c"].map { try archives.write("\($0).har", saying: $0) }
        let first = try urls.prefix(2).map { try identity(of: $0) }
        #expect(try identity(of: urls[0]) === first[0])
        _ = try identity(of: urls[2])
        #expect(try identity(of: urls[0]) === first[0])
        #expect(try identity(of: urls[1]) !== first[1])
    }

    @Test func `an archive is opened again if the limits differ`() throws {
        let url = try archives.write("a.har", saying: "a")
        let first = try identity(of: url)
        var configuration = Interceptor.Configuration()
        configuration.reader.maximumEntryCount = 5
        #expect(try identity(of: url, configuration) !== first)
        configuration.reader.maximumEntryCount = 0
        #expect(throws: HARError.self) { try identity(of: url, configuration) }
    }

    @Test func `interceptors with the same entries share the index, but not the set of used entries`() throws {
        let url = try archives.write("a.har", saying: "a")
        let entries = try opened.entries(of: url, configuration: .init())
        var configuration = Interceptor.Configuration()
        configuration.matching.repetition = .once
        for _ in 1...2 {
            let interceptor = Interceptor(name: "a", playing: [entries], configuration: configuration)
            #expect(try interceptor.text() == "a")
            #expect(throws: RelayError.self) { try interceptor.text() }
        }
        var count = 0
        _ = entries.indexes.index(by: .methodAndURL) {
            count += 1
            return KeyIndex(count: 0) { _ in nil }
        }
        #expect(count == 0)
    }
}
