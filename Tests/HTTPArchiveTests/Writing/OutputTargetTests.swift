import Foundation
import Testing

@testable import HTTPArchive

/// Output paths that do not refer to regular files.
@Suite(.limited) struct OutputTargetTests {
    private func write(_ text: String, to file: URL) throws {
        let output = try OutputFile(url: file)
        try output.write(Array(text.utf8))
        try output.finish()
    }

    @Test func `the target of a dangling link is created, even through a chain of links`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("sub"), withIntermediateDirectories: false)
        for (link, target) in [("a", "sub/b"), ("sub/b", "../c"), ("c", "file")] {
            #expect(symlink(target, folder.file(link).path) == 0)
        }
        try write("new", to: folder.file("a"))
        #expect(try String(contentsOf: folder.file("file"), encoding: .utf8) == "new")
        #expect(try folder.names == ["a", "c", "file", "sub"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("a").path) == "sub/b")
    }

    @Test func `writing to a cycle of links fails`() throws {
        let folder = try TemporaryFolder()
        #expect(symlink("b", folder.file("a").path) == 0 && symlink("a", folder.file("b").path) == 0)
        #expect(throws: HARError.self) { try write("new", to: folder.file("a")) }
    }

    @Test func `a named pipe is kept, and its reader receives the text`() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        // The umask applies only to the first call.
        #expect(mkfifo(pipe.path, 0o640) == 0 && chmod(pipe.path, 0o640) == 0)
        let reader = open(pipe.path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try write("new", to: pipe)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(reader, &bytes, bytes.count) == 3)
        var status = stat()
        #expect(lstat(pipe.path, &status) == 0 && status.st_mode == S_IFIFO | 0o640)
    }

    #if os(Linux)
        @Test(arguments: ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"])
        func `the path of an open file descriptor is written to in place`(fileSystem: String) throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("a", holding: "old ")
            for link in [false, true] {
                let descriptor = open(file.path, O_WRONLY | O_APPEND)
                defer { close(descriptor) }
                var path = fileSystem + String(descriptor)
                if link {
                    path = folder.file("link").path
                    #expect(symlink(fileSystem + String(descriptor), path) == 0)
                }
                try write("new ", to: URL(fileURLWithPath: path))
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == "old new new ")
        }
    #endif

    @Test func `the error for a folder contains the reason`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: HARError.self) { try write("new", to: folder.url) }
        #expect(error?.code == .unwritableFile)
        #expect(error?.message.contains("folder") == true)
    }
}
