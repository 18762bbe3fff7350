import ArgumentParser
import Foundation
import HTTPArchive

/// `har index`: an index that the other commands use.
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Keep an index of an archive, which makes opening it immediate.",
        discussion: """
            The index says where each entry is, with its URL, status and time. Commands that open an archive at any \
            place, such as har replay with URLs, use the one among the user's caches as long as the archive is what it \
            was: by its size, its time, and samples of what it holds. A stale index is not used; make it again. Only its \
            owner can read the file. Of an archive that was changed less than two seconds ago, its time would not tell \
            the next change, so this waits until it would. Every entry is validated first: a broken one is an error.

            Example: har index page.har
            Example: har index --remove page.har

            A file that is not an index is never replaced or deleted.

            One line is written: the number of entries, the size of the index, and where it is.
            """)

    @Option(name: .shortAndLong, help: "The file to write; among the user's caches unless given.")
    var output: String?

    @Flag(help: "Delete the index instead.")
    var remove = false

    @Argument(help: "The archive.")
    var file: Input

    func validate() throws {
        if file.isStandardInput { throw ValidationError("The archive must be a file: it is to be opened again.") }
    }

    private var place: HARArchive.IndexLocation {
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
                .unreadableFile, "A pipe cannot be opened again, so an index is of no use; copy it to a file.",
                at: .init(file: file.name))
        }
        try place.checkFile(of: file.url, isNamedByUser: true)
        waitUntilSettled()
        let archive = try file.archive(index: .never)
        let index = try archive.writeIndex(to: place)
        let size = index.fileSize.map { ", \($0.asBytes)" } ?? ""
        return "\(archive.count.of("entry", "entries"))\(size): \(index.path.printable)"
    }

    /// Waits until the time of the archive would tell another change.
    private func waitUntilSettled() {
        let path = file.url.resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let changed = attributes?[.modificationDate] as? Date else { return }
        let age = Date().timeIntervalSince(changed)
        let settlingTime = HARArchive.indexSettlingTime
        if abs(age) < settlingTime { Thread.sleep(forTimeInterval: settlingTime - age + 0.01) }
    }

    private func removed() throws(HARError) -> String {
        let index = place.file(of: file.url)
        guard try place.checkFile(of: file.url, isNamedByUser: true) else { return "no index: \(index.path.printable)" }
        do {
            try FileManager.default.removeItem(at: index)
        } catch {
            throw HARError(
                .unwritableFile, "The index cannot be deleted. \(error.localizedDescription)",
                at: .init(file: index.path), underlying: error)
        }
        return "deleted: \(index.path.printable)"
    }
}
