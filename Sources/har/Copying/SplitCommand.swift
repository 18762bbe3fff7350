import ArgumentParser
import Foundation
import HTTPArchive

/// `har split`: one archive as several.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Divide an archive into several.",
        discussion: """
            Each part is a whole archive, with all other fields of the log. Entries are copied byte for byte and in \
            their order, once they are found to be valid JSON; a broken entry is an error. With --by page, each part has its own page alone; in others all pages stay.

            The parts are named by the host, by the id of the page, or numbered; where a pattern is given in place of a \
            folder, as parts/shop-*.har, the name takes the place of the asterisk. Other characters than letters, \
            digits, hyphens and dots become underscores. No file that is there is replaced.

            A part of a size is never larger, but where a single entry is. Input from a pipe is first copied to a \
            temporary file.

            Example: har split --by host page.har parts
            Example: har split --by size=10MB page.har 'page-*.har'
            """)

    @Option(help: "What makes a part: host, page, count=1000 (entries) or size=10MB.")
    var by: Division

    @Option(help: "The largest number of parts; more are an error.")
    var maxParts = 1000

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The folder to write to, which is created if need be; or a pattern with *.")
    var output: PartFiles

    func validate() throws {
        guard maxParts > 0 else { throw ValidationError("At least one part must be allowed.") }
    }

    func run() throws {
        var parts = Parts(by: by, limit: maxParts)
        let archive = try input.archive()
        for index in 0..<archive.count { parts.add(HAREntryFacts(of: archive, at: index)) }
        let list = try parts.divided(log: archive.log)
        try write(list, of: archive)
        StandardError.notice("\(archive.count.of("entry", "entries")) in \(list.count.of("part", "parts"))")
    }

    private func write(_ parts: [Part], of archive: HARArchive) throws(HARError) {
        var names = PartNames(count: parts.count)
        let files = parts.enumerated().map { output.file(names.name(of: $1, number: $0 + 1)) }
        var bytes = 0
        let progress = ReadingProgress(of: input.url.fileSize)
        defer { progress.clear() }
        try output.create(files) { file, index throws(HARError) in
            let writer = try Output(argument: file.path).writer(isNew: true)
            try writer.write(parts[index].log(of: archive.log)) { () throws(HARError) in
                for place in parts[index].indices {
                    try writer.append(entryAt: place, of: archive)
                    bytes += archive.summary(at: place).byteRange.count
                    progress.update(bytes)
                }
            }
            try writer.finish()
        }
    }
}
