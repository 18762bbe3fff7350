import Foundation
import HTTPArchive
import Relay
import Testing

@Suite(.limited) struct ArchiveSearchTests {
    private let archives: TemporaryArchives
    private let search: ArchiveSearch

    init() throws {
        archives = try TemporaryArchives()
        let bundle = archives.folder.appendingPathComponent("Module.resources")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        search = ArchiveSearch(beside: archives.sourceFile, in: Bundle(path: bundle.path))
    }

    @Test(
        arguments: [
            ("shop", "shop.har"), ("shop.har", "shop.har"), ("shop.HAR", "shop.HAR"), ("v1.2", "v1.2.har"),
            ("users/anna", "users/anna.har"), ("shop", "Recordings/shop.har"),
            ("users/anna", "Recordings/users/anna.har"), ("shop", "Module.resources/shop.har"),
            ("shop", "Module.resources/Recordings/shop.har"),
        ])
    func `an archive is found by its name`(name: String, file: String) throws {
        let url = try archives.write(file, saying: "")
        #expect(try search.url(of: name).resolvingSymlinksInPath().path == url.resolvingSymlinksInPath().path)
    }

    @Test func `the nearest folder takes precedence`() throws {
        let files = ["shop.har", "Recordings/shop.har", "Module.resources/shop.har"]
        for file in files.reversed() {
            try archives.write(file, saying: "")
            #expect(try search.url(of: "shop").path.hasSuffix(file))
        }
    }

    @Test func `an archive is also found by its path`() throws {
        let url = try archives.write("shop.har", saying: "")
        #expect(try ArchiveSearch(beside: "/nowhere/Tests.swift").url(of: url.path) == url)
    }

    @Test func `the error for a missing archive lists all searched paths`() {
        #expect {
            try search.url(of: "shop")
        } throws: { error in
            guard let error = error as? RelayError, error.code == .unreadableArchive else { return false }
            let lines = error.message.split(separator: "\n")
            return lines.count == 6
                && zip(
                    lines.dropFirst(),
                    [
                        "/shop.har", "/Recordings/shop.har", "/Module.resources/shop.har",
                        "/Module.resources/Recordings/shop.har",
                    ]
                ).allSatisfy { $0.hasSuffix($1) }
        }
    }
}
