import ArgumentParser
import Foundation
import HTTPArchive

/// `har split`: splits an archive into several archives.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Split an archive into several archives.",
        discussion: """
            Each part is a complete archive with some of the entries and all other fields of the log. Entries are \
            validated and copied byte for byte, in their original order; an entry that is not valid JSON is an error. \
            In another folder, the content of body files becomes part of the entries. With --by page, a part contains only its page; otherwise, each part contains all pages.

            The name of a part is the host, the id of the page, or a number. In a pattern such as parts/shop-*.har, it \
            replaces the asterisk. Characters other than letters, digits, hyphens and dots become underscores. \
            Existing files are never replaced.

            With --by size, a part is larger than the size only if it consists of a single entry. Input from a pipe is \
            first copied to a temporary file.

            Example: har split --by host page.har parts
            Example: har split --by size=10MB page.har 'page-*.har'
            """)

    @Option(help: "Split by host, page, count=1000 (entries per part) or size=10MB (maximum size of a part).")
    var by: Division

    @Option(help: "The maximum number of parts.")
    var maxParts = 1000

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The output folder, which is created if needed, or a pattern with *.")
    var output: PartFiles

    func validate() throws {
        guard maxParts > 0 else { throw ValidationError("--max-parts must be greater than 0") }
    }

    func run() throws {
        let archive = try input.archive(sizes)
        let parts = try by.parts(of: archive, limit: maxParts)
        try write(parts, of: archive)
        StandardError.notice("\(archive.count.of("entry", "entries")) in \(parts.count.of("part", "parts"))")
    }

    private func write(_ parts: [Part], of archive: HARArchive) throws(HARError) {
        var bytes = 0
        let progress = ReadingProgress(of: input.url.fileSize)
        defer { progress.clear() }
        try output.create(output.files(for: parts, by: by)) { file, index throws(HARError) in
            let writer = try Output(argument: file.path).writer(isNew: true)
            try writer.write(by.log(of: parts[index], in: archive)) { () throws(HARError) in
                for entry in parts[index].indices {
                    try writer.append(entryAt: entry, of: archive)
                    bytes += archive.byteRange(at: entry).count
                    progress.update(bytes)
                }
            }
            try writer.finish()
        }
    }
}
