@testable import ArchiveRepair
import ErrorCatalog
import Foundation
import Testing

@testable import HTTPArchive

extension ErrorCatalog {
    mutating func addArchives(in folder: TemporaryFolder) throws {
        add("a missing file") { try HARReader(contentsOf: folder.file("missing.har")) }
        add("a folder instead of a file") { try HARArchive(contentsOf: folder.url) }
        let page = try #require(URL(string: "https://example.com/a.har"))
        add("a web address instead of a file") { try HARReader(contentsOf: page) }
        let broken = try folder.file("broken.har", holding: "{\"log\":{\"entries\":[\n{\"time\":1 2}]}}")
        add("a file with invalid JSON") { try HAR.Log(contentsOf: broken) }
        let truncated = try folder.file("truncated.har", holding: #"{"log":{"entries":[{"time":1},{"time":2},{"ti"#)
        add("an archive whose end is missing", error: try HARArchive(contentsOf: truncated).damage)
        let changing = try folder.file("changing.har", holding: #"{"log":{"entries":[{"time":1},{"time":2}]}}"#)
        let archive = try HARArchive(contentsOf: changing)
        let handle = try FileHandle(forUpdating: changing)
        try handle.seek(toOffset: 20)
        try handle.write(contentsOf: Data("        0".utf8))
        add("an entry that was overwritten") { try archive.entry(at: 0) }
        try handle.truncate(atOffset: 25)
        add("an entry that was truncated") { try archive.entry(at: 0) }
        try handle.close()
    }

    mutating func addBodyFiles(in folder: TemporaryFolder) throws {
        let archive = try folder.file("bodies.har", holding: "{}")
        _ = try folder.file("other", holding: "x")
        #expect(symlink("other", folder.file("link").path) == 0)
        try FileManager.default.createDirectory(at: folder.file("sub"), withIntermediateDirectories: false)
        let bodies = HAR.BodyFolder(ofArchive: archive)
        for (title, name) in [
            ("a missing body file", "bodies/1.png"), ("a body file outside the folder", "../secret.txt"),
            ("a body file without a name", "./"), ("a hidden body file", ".git/config"),
            ("a body file that is a link", "link"), ("a body file that is a folder", "sub"),
            ("a body file that is the archive", "bodies.har"),
        ] { add(title) { try bodies.read(name) } }
    }

    mutating func addOutput(in folder: TemporaryFolder) throws {
        func write(to file: URL, replacing: Bool = true, _ calls: FileSystemCalls = FileSystemCalls()) throws {
            var settings = OutputFile.Settings()
            settings.replacesFile = replacing
            settings.isSynchronized = true
            try FileSystemCalls.$current.withValue(calls) {
                let output = try OutputFile(url: file, settings: settings)
                try output.write([1])
                try output.finish()
            }
        }
        let page = try #require(URL(string: "https://example.com/a.har"))
        add("output to a web address") { try write(to: page) }
        add("output to a folder") { try write(to: folder.url) }
        add("output to a missing folder") { try write(to: folder.file("missing/a.har")) }
        let old = try folder.file("old", holding: "")
        add("output below a file") { try write(to: old.appendingPathComponent("a.har")) }
        add("output to an existing file") { try write(to: old, replacing: false) }
        #expect(symlink("cycle", folder.file("cycle").path) == 0)
        add("output to a loop of symbolic links") { try write(to: folder.file("cycle")) }
        let output = try OutputFile(url: folder.file("replaced"))
        try FileManager.default.createDirectory(at: folder.file("replaced"), withIntermediateDirectories: false)
        add("output that became a folder") { try output.finish() }
        var full = FileSystemCalls()
        full.append = { _, _ in
            errno = ENOSPC
            return -1
        }
        add("a full disk") { try write(to: folder.file("new"), full) }
        var faulty = FileSystemCalls()
        faulty.synchronize = { descriptor in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return fsync(descriptor) }
            errno = EIO
            return -1
        }
        add("a folder that cannot be flushed") { try write(to: folder.file("new"), faulty) }
        add("a folder that cannot be created") { try FileSystemCalls().createFolders(old) }
        add("a folder below a file") { try FileSystemCalls().createFolders(old.appendingPathComponent("sub")) }
    }

    mutating func addWriters(in folder: TemporaryFolder) throws {
        let file = folder.file("appended.har")
        let page = try #require(URL(string: "https://example.com/a.har"))
        add("appending to a web address") { try HARWriter(appendingTo: page) }
        add("appending to a folder") { try HARWriter(appendingTo: folder.url) }
        add("appending to a device") { try HARWriter(appendingTo: URL(fileURLWithPath: "/dev/null")) }
        add("appending in a missing folder") { try HARWriter(appendingTo: folder.file("missing/a.har")) }
        let object = try folder.file("object.har", holding: #"{"log":{"entries":{"a":1}}}"#)
        add("appending to entries that are an object") { try HARWriter(appendingTo: object) }
        let pages = try folder.file("pages.har", holding: #"{"log":{"entries":[],"pages":7}}"#)
        add("appending to pages that are a number") {
            let writer = try HARWriter(appendingTo: pages)
            try writer.append(HAR.Page(startedDateTime: "2026-01-01T00:00:00Z", id: "1", title: ""))
        }
        let writer = try HARWriter(appendingTo: file)
        try writer.append(.numbered(0))
        add("a second writer") { try HARWriter(appendingTo: file) }
        add("an end of the entries while appending") { try writer.write(.endEntries) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 3)
        add("a file that another program changed") { try writer.append(.numbered(1)) }
        try FileManager.default.removeItem(at: file)
        add("a file that was deleted") { try writer.append(.numbered(1)) }
        let new = try HARWriter(to: folder.file("written.har"))
        add("an entry outside the entries") { try new.write(.entry(.numbered(0))) }
        try new.write(.beginLog)
        add("a second log") { try new.write(.beginLog) }
        try new.write(.endLog)
        add("a second log after the first one") { try new.write(.beginLog) }
        try new.finish()
        add("an event after the end") { try new.write(.beginLog) }
        add("a second end") { try new.finish() }
    }

    mutating func addIndexes(in folder: TemporaryFolder) throws {
        let file = try folder.file("indexed.har", holding: #"{"log":{"entries":[{"time":1}]}}"#)
        let archive = try HARArchive(contentsOf: file)
        add("an index of a file that has just changed") { try archive.writeIndex(to: .folder(folder.url)) }
        let later = Date(timeIntervalSinceNow: 3600)
        let settled = try HARArchive(contentsOf: file, index: .never, at: later)
        add("an index that would replace the archive") { try settled.writeIndex(to: .file(file)) }
        add("an index in a missing folder") { try settled.writeIndex(to: .file(folder.file("missing/a.harindex"))) }
        add("an index in a folder below a file") {
            try settled.writeIndex(to: .folder(file.appendingPathComponent("sub")))
        }
        let text = try folder.file("notes.txt", holding: "Notes")
        add("an index that would replace another file") {
            try HARArchive.IndexLocation.file(text).checkFile(of: file, isNamedByUser: true)
        }
        try Data(#"{"log":{"entries":[{"time":1},{}]}}"#.utf8).write(to: file)
        add("an index of a file that changed after it was opened") {
            let changed = try HARArchive(contentsOf: file, index: .never, at: later)
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(" ".utf8))
            return try changed.writeIndex(to: .folder(folder.url))
        }
        let input = try InputFile(url: file)
        let configuration = HARReader.Configuration()
        let index = try ArchiveIndex(of: input, configuration: configuration)
        let pipe = HARArchive(
            file: input, at: file, index: index, configuration: configuration, stamp: nil, opened: later, damage: nil)
        add("an index of a pipe") { try pipe.writeIndex(to: .folder(folder.url)) }
    }

    mutating func addRepairs(in folder: TemporaryFolder) throws {
        let broken = try folder.file("entry.har", holding: #"{"log":{"entries":[{"request":{}},{"request":{]}]}}"#)
        add("a repair of a broken entry") { try HARRepair(of: broken) }
        let head = try folder.file("head.har", holding: #"{"log":{"version":1.2.3 4,"entries":[]}}"#)
        add("a repair of a broken start") { try HARRepair(of: head) }
        let aside = try folder.file("aside.txt", holding: "")
        add("a repair whose file for broken entries exists") {
            try HARRepair(of: broken, brokenEntries: .setAside(aside))
        }
        add("a repair of a missing file") { try HARRepair(of: folder.file("missing.har")) }
        add("a repair of a file that is not an archive") { try HARRepair(of: folder.file("notes.txt")) }
    }
}
