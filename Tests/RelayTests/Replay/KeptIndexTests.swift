import Foundation
import HTTPArchive
import Relay
import Testing

@Suite(.limited) struct KeptIndexTests {
    @Test func `an interceptor saves and reuses the index of its archive if configured to`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("a.har")
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [.entry(text: "kept")]).write(to: url)
        let longAgo = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: url.path)

        #expect(try Interceptor(archive: url).text() == "kept")
        let place = HARArchive.IndexLocation.folder(folder)
        #expect(!FileManager.default.fileExists(atPath: place.file(of: url).path))
        var configuration = Interceptor.Configuration()
        configuration.index = .keep(in: place)
        for _ in 0..<2 {
            #expect(try Interceptor(archive: url, configuration: configuration).text() == "kept")
            #expect(FileManager.default.fileExists(atPath: place.file(of: url).path))
        }
    }
}
