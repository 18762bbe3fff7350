import ArgumentParser
import Foundation
import HTTPArchive

/// `har index`: creates an archive index.
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Create an index of an archive, so that commands can open the archive without reading all of it.",
        discussion: """
            The index contains the offset, URL, status and time of each entry. Commands that use random access, such \
            as har replay with URLs, use the index in your cache folder while the archive is unchanged. They compare \
            the archive's size, modification time and samples of its content. A stale index is ignored; run this \
            command again to replace it. Only you can read the index file. If the archive changed less than two \
            seconds ago, this command waits, because a later change could keep the same modification time. Every \
            entry is validated first; an entry that is not valid JSON is an error.

            Example: har index page.har
            Example: har index --remove page.har

            A file that is not an index is never replaced or deleted. Indexes in the cache folder that have not been \
            used for 30 days are deleted when another index is written.

            Prints one line with the number of entries, and the size and the path of the index.
            """)

    @Option(name: .shortAndLong, help: "The index file; in the user's cache folder by default.", completion: .file())
    var output: String?

    @Flag(help: "Delete the index instead of creating it.")
    var remove = false

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive.")
    var file: Input

    func validate() throws {
        if file.isStandardInput {
            throw ValidationError(
                "expected a file, found standard input, which cannot be opened again; save it to a file first")
        }
    }

    private var location: HARArchive.IndexLocation {
        output.map { .file(URL(fileURLWithPath: $0)) } ?? .userCache
    }

    func run() throws {
        let output = StandardOutput()
        try output.line(remove ? removed() : written())
        try output.flush()
    }

    private func written() throws(HARError) -> String {
        guard !file.isStream else {
            throw HARError(
                .unreadableFile, "expected a file, found a pipe, which cannot be opened again; save it to a file first",
                at: .init(file: file.name))
        }
        try location.checkFile(of: file.url, isNamedByUser: true)
        waitUntilSettled()
        let archive = try file.archive(sizes, index: .never)
        let index = try archive.writeIndex(to: location)
        let size = index.fileSize.map { ", \($0.asBytes)" } ?? ""
        return "\(archive.count.of("entry", "entries"))\(size): \(index.path.printable)"
    }

    /// Waits until every further change to the archive is certain to change its modification time.
    private func waitUntilSettled() {
        let path = file.url.resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let changed = attributes?[.modificationDate] as? Date else { return }
        let age = Date().timeIntervalSince(changed)
        let settlingTime = HARArchive.indexSettlingTime
        if abs(age) < settlingTime { Thread.sleep(forTimeInterval: settlingTime - age + 0.01) }
    }

    private func removed() throws(HARError) -> String {
        let index = location.file(of: file.url)
        guard try location.checkFile(of: file.url, isNamedByUser: true) else {
            return "no index: \(index.path.printable)"
        }
        guard FileSystemCalls.current.remove(index.path) == 0 else {
            throw HARError(
                .unwritableFile, "cannot delete the index: \(String(cString: strerror(errno)))",
                at: .init(file: index.path))
        }
        return "deleted: \(index.path.printable)"
    }
}
