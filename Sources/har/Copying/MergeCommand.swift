import ArgumentParser
import Foundation
import HTTPArchive

/// `har merge`: several archives as one.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Put archives together as one, in the order of time.",
        usage: "har merge <input> ... <output>",
        discussion: """
            The last name is that of the file to write, which must be new; - is standard output. The entries of all \
            inputs come in the order of startedDateTime, those of one time in the order of the inputs; one without a \
            time stays behind the entry before it. All other fields are those of the first input, but for the pages: \
            they are those of all inputs. Where two inputs have different pages under one id, the later one gets another.

            Entries are copied byte for byte, once they are found to be valid JSON, but for the references to pages \
            that got another id. A broken entry is an error. Input from a pipe is first copied to a temporary file.

            Example: har merge monday.har tuesday.har week.har
            """)

    @Argument(help: "The archives, - for standard input; and the file to write, - for standard output.")
    var files: [Input]

    func validate() throws {
        guard files.count > 1 else { throw ValidationError("Name the archives, and behind them the file to write.") }
        guard files.dropLast().filter(\.isStandardInput).count < 2 else {
            throw ValidationError("Standard input can be read once.")
        }
    }

    func run() throws {
        let inputs = files.dropLast()
        guard let output = files.last.map({ Output(argument: $0.argument) }) else { return }
        try output.mustBeNew("The last file named is the one that is written: choose a new name for it.")
        var merger = HARMerger()
        for input in inputs { merger.add(try input.archive()) }
        let size = inputs.reduce(0) { $0 + ($1.url.fileSize ?? 0) }
        let writer = try output.writer(isNew: true)
        var bytes = 0
        let progress = ReadingProgress(of: size)
        defer { progress.clear() }
        try merger.write(to: writer) { count in
            bytes += count
            progress.update(bytes)
        }
        try writer.finish()
        progress.clear()
        StandardError.notice(
            "\(merger.count.of("entry", "entries")) of \(inputs.count.of("archive", "archives")) merged")
    }
}
