import ArgumentParser
import Foundation
import HTTPArchive

/// `har filter`: the entries that meet conditions.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Copy an archive with some of its entries.",
        discussion: """
            An entry is kept when it meets one condition of each kind that is given: give an option several times, or \
            but for --url several values with commas between them. An entry for which a fact is unknown, as its size, \
            does not meet a condition on it.

            What is kept is copied byte for byte, once it is found to be valid JSON; so are the pages and all else, \
            also pages that no entry refers to any more. A broken entry is an error. The output appears under its name when it is whole; it may be the input.

            Example: har filter --host '*.example.com' --status 4xx,5xx page.har errors.har
            Example: har filter --url '**/api/**' --invert page.har - | har entries -
            """)

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output

    func run() throws {
        let filter = conditions.filter
        let (kept, count) = try input.isStream ? filterStream(by: filter) : filterFile(by: filter)
        Notice.write("\(kept) of \(count.of("entry", "entries")) kept")
    }

    /// Copies the entries of a file.
    private func filterFile(by filter: HAREntryFilter) throws(HARError) -> (kept: Int, count: Int) {
        let archive = try input.archive()
        let writer = try output.writer()
        var kept = 0
        var bytes = 0
        let progress = ReadingProgress(of: input.url.fileSize)
        defer { progress.clear() }
        try writer.write(archive.log) { () throws(HARError) in
            for index in 0..<archive.count {
                let facts = HAREntryFacts(of: archive, at: index)
                bytes += facts.byteCount ?? 0
                progress.update(bytes)
                guard try filter.selects(facts, at: index) else { continue }
                try writer.append(entryAt: index, of: archive)
                kept += 1
            }
        }
        try writer.finish()
        return (kept, archive.count)
    }

    /// Passes on the entries of a pipe as they come.
    private func filterStream(by filter: HAREntryFilter) throws(HARError) -> (kept: Int, count: Int) {
        let reader = try input.reader()
        let writer = try output.writer()
        let progress = ReadingProgress(of: reader.byteCount)
        defer { progress.clear() }
        var count = 0
        var kept = 0
        while let event = try reader.nextEvent() {
            switch event {
            case .entry(let entry):
                if filter.selects(entry, at: count) {
                    try writer.write(event)
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
