import Foundation
import Synchronization
import Testing

@testable import HTTPArchive

/// The permissions of output files, and the system calls that sync them.
@Suite(.limited) struct OutputPermissionTests {
    /// The system calls of a file system that does not support unnamed files.
    private static var namedCalls: FileSystemCalls {
        var calls = FileSystemCalls()
        calls.openUnnamed = { _, _ in -1 }
        return calls
    }

    private func mode(of file: URL) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, of file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    private func write(_ text: String, to file: URL, _ settings: OutputFile.Settings, _ calls: FileSystemCalls) throws {
        let output = try FileSystemCalls.$current.withValue(calls) { try OutputFile(url: file, settings: settings) }
        try output.write(Array(text.utf8))
        try output.finish()
    }

    @Test(arguments: [0o600, 0o640, 0o644, 0o755, 0o444, 0o400], [false, true])
    func `the permissions of a replaced file are kept`(mode: Int, isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        for isPrivate in [false, true] {
            let file = try folder.file("a.har", holding: "old")
            try setMode(mode, of: file)
            var settings = OutputFile.Settings()
            settings.isPrivate = isPrivate
            try write("new", to: file, settings, isNamed ? Self.namedCalls : FileSystemCalls())
            #expect(try self.mode(of: file) == mode)
            #expect(try String(contentsOf: file, encoding: .utf8) == "new")
            try FileManager.default.removeItem(at: file)
        }
        #expect(try folder.names == [])
    }

    @Test func `the owner of a replaced file is kept`() throws {
        guard geteuid() == 0 else { return }
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: "old")
        #expect(chown(file.path, 1234, 5678) == 0)
        try HARWriter(to: file).finish()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.ownerAccountID] as? Int == 1234)
        #expect(attributes[.groupOwnerAccountID] as? Int == 5678)
    }

    @Test(arguments: [false, true])
    func `a new file follows the umask, and a private one is accessible only to its owner`(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        let probe = folder.file("probe")
        #expect(FileManager.default.createFile(atPath: probe.path, contents: nil))
        let calls = isNamed ? Self.namedCalls : FileSystemCalls()
        var settings = OutputFile.Settings()
        try write("new", to: folder.file("shared.har"), settings, calls)
        #expect(try mode(of: folder.file("shared.har")) == mode(of: probe))
        settings.isPrivate = true
        try write("new", to: folder.file("private.har"), settings, calls)
        #expect(try mode(of: folder.file("private.har")) == 0o600)
        #expect(try folder.names == ["private.har", "probe", "shared.har"])
    }

    @Test func `the setting for private files applies to writing and to appending`() throws {
        let folder = try TemporaryFolder()
        var configuration = HARWriter.Configuration()
        configuration.isPrivate = true
        try HARWriter(to: folder.file("a.har"), configuration: configuration).finish()
        try HARWriter(appendingTo: folder.file("b.har"), configuration: configuration).finish()
        #expect(try mode(of: folder.file("a.har")) == 0o600)
        #expect(try mode(of: folder.file("b.har")) == 0o600)
    }

    @Test func `a file is private while it is written`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: "old")
        try setMode(0o644, of: file)
        let output = try FileSystemCalls.$current.withValue(Self.namedCalls) { try OutputFile(url: file) }
        try output.write([UInt8](repeating: 0, count: 1 << 20))
        let draft = try #require(try folder.names.first { $0 != "a.har" })
        #expect(draft.hasPrefix("a.har.") && draft.hasSuffix(".part"))
        #expect(try mode(of: folder.file(draft)) == 0o600)
        try output.finish()
        #expect(try folder.names == ["a.har"])
        #expect(try mode(of: file) == 0o644)
    }

    @Test(arguments: [false, true])
    func `a file that must be new never replaces a file that is created in the meantime`(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        var settings = OutputFile.Settings()
        settings.replacesFile = false
        let file = folder.file("a.har")
        let output = try FileSystemCalls.$current.withValue(isNamed ? Self.namedCalls : FileSystemCalls()) {
            try OutputFile(url: file, settings: settings)
        }
        try output.write([1])
        try Data("other".utf8).write(to: file)
        let error = #expect(throws: HARError.self) { try output.finish() }
        #expect(error?.code == .unwritableFile)
        #expect(try String(contentsOf: file, encoding: .utf8) == "other")
    }

    /// Returns the kinds of files that are synced while a file is written.
    private func calls(finishing file: URL, _ settings: OutputFile.Settings = OutputFile.Settings()) throws -> [String]
    {
        let noted = Mutex<[String]>([])
        var calls = FileSystemCalls()
        calls.synchronize = { descriptor in
            var status = stat()
            fstat(descriptor, &status)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            noted.withLock { $0.append(isFolder ? "folder" : "file") }
            return 0
        }
        try write("new", to: file, settings, calls)
        return noted.withLock { $0 }
    }

    @Test func `a file that replaces another one is synced to disk together with its folder`() throws {
        let folder = try TemporaryFolder()
        #expect(try calls(finishing: folder.file("old.har", holding: "old")) == ["file", "folder"])
        #expect(try calls(finishing: folder.file("new.har")) == [])
        var settings = OutputFile.Settings()
        settings.isSynchronized = true
        #expect(try calls(finishing: folder.file("newer.har"), settings) == ["file", "folder"])
    }

    @Test(arguments: [false, true])
    func `the previous file is kept if syncing or closing fails`(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        for fails in [\FileSystemCalls.synchronize, \FileSystemCalls.close] {
            let file = try folder.file("a.har", holding: "old")
            var calls = isNamed ? Self.namedCalls : FileSystemCalls()
            calls[keyPath: fails] = { _ in
                errno = EDQUOT
                return -1
            }
            let error = #expect(throws: HARError.self) { try write("new", to: file, OutputFile.Settings(), calls) }
            #expect(error?.code == .unwritableFile)
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
            #expect(try folder.names == ["a.har"])
        }
    }
}
