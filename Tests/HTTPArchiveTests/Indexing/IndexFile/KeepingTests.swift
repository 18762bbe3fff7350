import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct KeepingTests {
    private static let text = #"{"log":{"entries":[{"request":{"url":"/a"}}]}}"#

    @Test func `no index is written by default`() throws {
        let archive = try KeptArchive(Self.text)
        _ = try HARArchive(contentsOf: archive.url)
        _ = try HARArchive(contentsOf: archive.url, index: .use(in: .folder(archive.folder.url)))
        #expect(try archive.folder.names == ["a.har"])
    }

    @Test func `an index is saved in a folder, under the archive's name and a hash of its path`() throws {
        let archive = try KeptArchive(Self.text)
        let caches = archive.folder.file("some/caches")
        let place = HARArchive.IndexLocation.folder(caches)
        _ = try HARArchive(contentsOf: archive.url, index: .keep(in: place))
        let names = try FileManager.default.contentsOfDirectory(atPath: caches.path)
        #expect(names.count == 1)
        #expect(names.first?.wholeMatch(of: /a\.har-[0-9a-f]{16}\.harindex/) != nil)
        #expect(names.first == place.file(of: archive.url).lastPathComponent)
        let file = try InputFile(url: archive.url)
        #expect(ArchiveIndex(stored: place.file(of: archive.url), of: file, configuration: .init()) != nil)
    }

    @Test func `a symbolic link to an archive uses the same index, and another path a different one`() throws {
        let archive = try KeptArchive(Self.text)
        let place = HARArchive.IndexLocation.folder(archive.folder.url)
        let link = archive.folder.file("link.har")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: archive.url)
        #expect(place.file(of: link) == place.file(of: archive.url))
        #expect(place.file(of: archive.folder.file("b/../a.har")) == place.file(of: archive.url))
        #expect(place.file(of: archive.folder.file("b/a.har")) != place.file(of: archive.url))
        let long = archive.folder.file(String(repeating: "🇨🇭", count: 31))
        #expect(place.file(of: long).lastPathComponent.utf8.count <= 255)
    }

    @Test func `an index that has not been used for a month is removed when another one is written`() throws {
        let (first, second) = (try KeptArchive(Self.text), try KeptArchive(Self.text))
        let folder = try TemporaryFolder()
        let location = HARArchive.IndexLocation.folder(folder.url)
        let index = location.file(of: first.url)
        let other = try folder.file("other.harindex", holding: "no index")
        _ = try HARArchive(contentsOf: first.url, index: .keep(in: location))
        let age = { (file: URL, days: Double) in
            let date = Date(timeIntervalSinceNow: -days * 86400)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
        try age(index, 29)
        try age(other, 100)
        _ = try HARArchive(contentsOf: second.url, index: .keep(in: location))
        #expect(try folder.names.count == 3)
        // Using an index updates its modification time, which postpones its removal.
        _ = try HARArchive(contentsOf: first.url, index: .use(in: location))
        let used = try #require(
            try FileManager.default.attributesOfItem(atPath: index.path)[.modificationDate] as? Date)
        #expect(used.timeIntervalSinceNow > -60)
        try age(index, 31)
        _ = try HARArchive(contentsOf: second.url, index: .use(in: location))
        #expect(try folder.names.count == 3)
        try FileManager.default.removeItem(at: location.file(of: second.url))
        _ = try HARArchive(contentsOf: second.url, index: .keep(in: location))
        #expect(!FileManager.default.fileExists(atPath: index.path))
        #expect(FileManager.default.fileExists(atPath: other.path))
    }

    @Test func `the user's index folder is in the system's caches folder`() throws {
        let caches = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        let file = HARArchive.IndexLocation.userCache.file(of: URL(fileURLWithPath: "/a.har"))
        #expect(file.deletingLastPathComponent().path == caches.appendingPathComponent("relay").path)
    }

    @Test func `only the owner can read an index, even if it replaces a file that others could read`() throws {
        let archive = try KeptArchive(Self.text)
        try archive.write(index: "x".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: archive.index.path)
        _ = try HARArchive(contentsOf: archive.url, index: .keep(in: .file(archive.index)))
        let attributes = try FileManager.default.attributesOfItem(atPath: archive.index.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try archive.kept() != nil)
    }

    @Test func `writing an index that cannot be saved fails, but opening the archive succeeds`() throws {
        let archive = try KeptArchive(Self.text)
        // Not even root can create a folder inside a file.
        let places = [
            HARArchive.IndexLocation.folder(archive.url.appendingPathComponent("sub")),
            .file(archive.folder.file("missing/a.harindex")), .file(archive.folder.url),
        ]
        for place in places {
            let opened = try HARArchive(contentsOf: archive.url, index: .keep(in: place))
            #expect(opened.count == 1)
            let error = #expect(throws: HARError.self) { try opened.writeIndex(to: place) }
            #expect(error?.code == .unwritableFile)
        }
        #expect(try archive.folder.names == ["a.har"])
    }

    @Test func `concurrent writers leave a valid index`() async throws {
        let entries = [String](repeating: #"{"request":{"url":"/a"}}"#, count: 5_000).joined(separator: ",")
        let archive = try KeptArchive(#"{"log":{"entries":[\#(entries)]}}"#)
        let (url, index) = (archive.url, archive.index)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let opened = try HARArchive(contentsOf: url, index: .keep(in: .file(index)))
                    #expect(opened.count == 5_000)
                    try opened.writeIndex(to: .file(index))
                    let kept = ArchiveIndex(stored: index, of: try InputFile(url: url), configuration: .init())
                    #expect(kept?.table.count == 5_000)
                }
            }
            try await group.waitForAll()
        }
        #expect(try archive.folder.names == ["a.har", "a.harindex"])
    }

    @Test(arguments: [(-1.9, false), (0, false), (1.9, false), (2, true), (3_600, true), (-3_600, true)])
    func `no index is saved for an archive that was just changed`(age: TimeInterval, isKept: Bool) throws {
        let archive = try KeptArchive(Self.text)
        let opened = try HARArchive(
            contentsOf: archive.url, index: .keep(in: .file(archive.index)), at: KeptArchive.date + age)
        #expect(FileManager.default.fileExists(atPath: archive.index.path) == isKept)
        guard !isKept else { return }
        let error = #expect(throws: HARError.self) { try opened.writeIndex(to: .file(archive.index)) }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `no index is saved for an archive that was changed after it was opened`() throws {
        let archive = try KeptArchive(Self.text)
        let opened = try archive.opened()
        let handle = try FileHandle(forUpdating: archive.url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(" ".utf8))
        try handle.close()
        let error = #expect(throws: HARError.self) { try opened.writeIndex(to: .file(archive.index)) }
        #expect(error?.code == .unreadableFile)
        #expect(try archive.folder.names == ["a.har"])
    }

    @Test func `opening an archive does not wait for a named pipe in place of its index`() throws {
        let archive = try KeptArchive(Self.text)
        #expect(mkfifo(archive.index.path, 0o600) == 0)
        let opened = try HARArchive(contentsOf: archive.url, index: .keep(in: .file(archive.index)))
        #expect(opened.count == 1)
    }

    @Test func `an index never replaces its archive`() throws {
        let archive = try KeptArchive(Self.text)
        let before = try Data(contentsOf: archive.url)
        #expect(symlink(archive.url.path, archive.index.path) == 0)
        let opened = try HARArchive(contentsOf: archive.url, index: .keep(in: .file(archive.index)))
        for file in [archive.index, archive.url] {
            let error = #expect(throws: HARError.self) { try opened.writeIndex(to: .file(file)) }
            #expect(error?.code == .unwritableFile)
        }
        #expect(try Data(contentsOf: archive.url) == before)
    }
}
