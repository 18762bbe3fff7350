import Foundation
import Testing

@testable import HTTPArchive

/// Reading bodies from the files that an archive refers to.
@Suite(.limited) struct BodyFolderTests {
    private let folder: TemporaryFolder
    private let bodies: HAR.BodyFolder

    init() throws {
        folder = try TemporaryFolder()
        let archive = folder.file("archive/a.har")
        try FileManager.default.createDirectory(at: folder.file("archive/a"), withIntermediateDirectories: true)
        try Data("archive".utf8).write(to: archive)
        try Data("beside".utf8).write(to: folder.file("archive/beside.txt"))
        try Data("below".utf8).write(to: folder.file("archive/a/below.txt"))
        try Data("outside".utf8).write(to: folder.file("outside.txt"))
        bodies = HAR.BodyFolder(ofArchive: archive)
    }

    private func refuses(_ name: String, _ word: String, _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: HARError.self, sourceLocation: location) { try bodies.read(name) }
        #expect(error?.code == .unreadableFile, "\(name)", sourceLocation: location)
        #expect(error?.message.contains(word) == true, "\(name): \(error?.message ?? "")", sourceLocation: location)
    }

    @Test(arguments: ["beside.txt", "./beside.txt", "a/below.txt", "a//below.txt", "a/./below.txt"])
    func `files in the folder and its subfolders are read`(name: String) throws {
        #expect(try bodies.read(name) == Data((name.contains("below") ? "below" : "beside").utf8))
    }

    @Test(arguments: [
        "../outside.txt", "a/../../outside.txt", "/etc/hostname", "//etc/hostname", "a\\..\\b", "\\b", "..",
        "beside.txt\0.png", "c:b.txt", "a/../b.txt",
    ])
    func `a name cannot refer to a file outside the folder`(name: String) { refuses(name, "outside") }

    @Test(arguments: [".env", "./.env", "a/.env", ".git/config", "a\\.env", "..."])
    func `hidden files and folders are not read`(name: String) throws {
        for path in [".env", "a/.env", ".git/config", "a\\.env", "..."] {
            let file = folder.file("archive/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("KEY=1".utf8).write(to: file)
        }
        refuses(name, "hidden")
    }

    @Test func `symbolic links are not followed, regardless of location and target`() throws {
        let links = [
            ("inside", "beside.txt"), ("out", "../outside.txt"), ("folder", "a"), ("up", ".."), ("a/up", ".."),
            ("dangling", "missing"), ("absolute", "/etc"),
        ]
        for (link, target) in links { #expect(symlink(target, folder.file("archive/" + link).path) == 0) }
        let names = [
            "inside", "out", "folder/below.txt", "up/outside.txt", "a/up/beside.txt", "dangling", "absolute/passwd",
        ]
        for name in names { refuses(name, "link") }
    }

    @Test func `a symbolic link to the archive's folder is followed`() throws {
        let link = folder.file("link")
        #expect(symlink("archive", link.path) == 0)
        let bodies = HAR.BodyFolder(ofArchive: link.appendingPathComponent("a.har"))
        #expect(try bodies.read("beside.txt") == Data("beside".utf8))
    }

    @Test func `the archive itself cannot be read as a body under any of its names`() throws {
        #expect(link(folder.file("archive/a.har").path, folder.file("archive/b.dat").path) == 0)
        refuses("a.har", "itself")
        refuses("./a.har", "itself")
        refuses("b.dat", "itself")
    }

    @Test func `named pipes and folders are rejected without blocking`() throws {
        #expect(mkfifo(folder.file("archive/pipe").path, 0o600) == 0)
        refuses("pipe", "regular")
        refuses("a", "regular")
        refuses("a/", "regular")
        refuses("", "without a file name")
        refuses(".", "without a file name")
    }

    @Test func `a device is not opened`() throws {
        guard geteuid() == 0, mknod(folder.file("archive/zero").path, S_IFCHR | 0o600, 1 << 8 | 5) == 0 else { return }
        refuses("zero", "regular")
    }

    @Test func `the error for a missing file contains the reason`() {
        refuses("missing.txt", "No such file")
        refuses("missing/file.txt", "No such file")
        refuses("beside.txt/file", "Not a directory")
    }

    @Test func `the error for a file over the size limit contains the limit and the setting`() throws {
        var bodies = bodies
        bodies.maximumFileSize = 6
        #expect(try bodies.read("beside.txt").count == 6)
        bodies.maximumFileSize = 5
        let error = #expect(throws: HARError.self) { try bodies.read("beside.txt") }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("limit is 5") == true && error?.message.contains("maximumFileSize") == true)
    }

    @Test func `a huge file is not read into memory`() throws {
        let file = folder.file("archive/huge.bin")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        #expect(truncate(file.path, 1 << 40) == 0)
        #expect(throws: HARError.self) { try bodies.read("huge.bin") }
    }

    @Test func `requests and responses follow the same rules`() throws {
        try Data("KEY=1".utf8).write(to: folder.file("archive/.env"))
        for name in [".env", "a.har"] {
            let file: JSONValue = .string(JSONString(name))
            let request = HAR.Request(fields: ["method": "POST", "postData": ["_file": file]])
            let response = HAR.Response(fields: ["content": ["size": 5, "_file": file]])
            #expect(throws: HARError.self) { try request.bodyData(in: bodies) }
            #expect(throws: HARError.self) { try response.bodyData(in: bodies) }
        }
        let response = HAR.Response(fields: ["content": ["size": 5, "_file": ".env"]])
        #expect(throws: HARError.self) { try response.bodyData(besideArchiveIn: bodies.url) }
    }
}
