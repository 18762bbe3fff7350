import ArgumentParser
import Foundation
import HTTPArchive

/// `har filter`: copies the entries that match conditions.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Copy the entries of an archive that match conditions.",
        discussion: """
            An entry matches if it meets at least one of the given conditions of each kind. To give several \
            conditions of one kind, repeat the option or, except for --url and --search, separate the values with commas. \
            A time or a size has one value; the last one counts. An entry does not match a condition on a property that \
            it lacks, such as the size.

            Matching entries are validated and copied byte for byte. Pages, including those without entries, and all \
            other fields are also copied. An entry that is not valid JSON is an error. The output can be the same file as \
            the input. In another folder, the content of body files becomes part of the entries.

            With --keep-index, the custom field _index of each copied entry is its index in the input. It finds the \
            entry in the input later: har entries prints it with --columns original. If an entry already has this \
            field, its value is kept.

            Example: har filter --host '*.example.com' --status 4xx,5xx page.har errors.har
            Example: har filter --url '**/api/**' --invert page.har - | har entries -
            Example: har filter --keep-index --status 5xx page.har - | har entries --columns original,url -
            """)

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @Flag(help: "Add the index in the input to each entry, as the custom field _index.")
    var keepIndex = false

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output

    func validate() throws {
        if conditions.isEmpty {
            throw ValidationError("expected a condition such as --host; use har copy to copy all entries")
        }
    }

    func run() throws {
        let filter = conditions.filter(in: sizes.folder(of: input)) ?? .all(of: [])
        let (kept, count) = try input.isStream ? filterStream(by: filter) : filterFile(by: filter)
        if kept == 0, count > 0 {
            StandardError.line("har: warning: no entry matches the conditions; the output has no entries")
        } else {
            StandardError.notice("\(kept) of \(count.of("entry", "entries")) kept")
        }
    }

    /// Copies the matching entries of a file, using random access.
    private func filterFile(by filter: HAREntryFilter) throws(HARError) -> (kept: Int, count: Int) {
        let archive = try input.archive(sizes)
        let writer = try output.writer()
        var kept = 0
        var bytes = 0
        let progress = ReadingProgress(of: input.url.fileSize, isQuiet: output.mayBeTerminal)
        defer { progress.clear() }
        try writer.write(archive.log) { () throws(HARError) in
            for index in 0..<archive.count {
                let facts = HAREntryFacts(of: archive, at: index)
                bytes += facts.byteCount ?? 0
                progress.update(bytes)
                guard try filter.selects(facts, at: index) else { continue }
                if keepIndex {
                    let entry = try archive.entry(at: index).keepingIndex(index)
                    try writer.append(copyOf: entry, from: archive.bodyFolder)
                } else {
                    try writer.append(entryAt: index, of: archive)
                }
                kept += 1
            }
        }
        try writer.finish()
        return (kept, archive.count)
    }

    /// Copies the matching entries from a pipe, in one pass.
    private func filterStream(by filter: HAREntryFilter) throws(HARError) -> (kept: Int, count: Int) {
        let reader = try input.reader(sizes)
        let writer = try output.writer()
        let progress = ReadingProgress(of: reader.byteCount, isQuiet: output.mayBeTerminal)
        defer { progress.clear() }
        var count = 0
        var kept = 0
        while let event = try reader.nextEvent() {
            switch event {
            case .entry(let entry):
                if filter.selects(entry, at: count) {
                    try writer.append(
                        copyOf: keepIndex ? entry.keepingIndex(count) : entry, from: sizes.folder(of: input))
                    kept += 1
                }
                count += 1
            case .unexpectedValue: break
            default: try writer.write(event)
            }
            progress.update(reader.bytesRead)
        }
        try writer.finish()
        return (kept, count)
    }
}
