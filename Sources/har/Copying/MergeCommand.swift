import ArgumentParser
import Foundation
import HTTPArchive

/// `har merge`: merges archives.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge archives, with their entries ordered by time.",
        usage: """
            har merge <input> ... <output>
            har merge --driver <ancestor> <ours> <theirs> [<marker-size> [<path>]]
            """,
        discussion: """
            The last argument is the output, which must not exist yet; - is standard output. Entries are ordered by \
            startedDateTime, and then by the order of the inputs. An entry without a time stays after the entry that \
            precedes it in its input. The output has the pages of all inputs, and all other fields of the first input. \
            If two inputs have different pages with the same id, the page of the later input gets a new id.

            Entries are validated and copied byte for byte, except that references to pages with a new id are updated, \
            and that the content of body files in other folders becomes part of the entries. An entry that is not valid \
            JSON is an error. Input from a pipe is first copied to a temporary file.

            With --driver, merges two versions of an archive that have a common ancestor, for Git, and writes the result \
            to the second file. Entries that only one version added, changed or removed are taken from this version. \
            Added entries are ordered by time, and an entry that both versions added appears once. Pages and other \
            fields of the log are merged in the same way, and all other bytes of the second file are preserved. If both \
            versions changed an entry differently, both are kept between conflict markers, and the exit status is 1. If \
            a version is damaged, the second file is unchanged, and the exit status is also 1.

            Example: har merge monday.har tuesday.har week.har
            Example: git config merge.har.driver 'har merge --driver %O %A %B %L %P'
            """)

    @Flag(help: "Merge two versions that have a common ancestor, as a merge driver of Git.")
    var driver = false

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archives (- for standard input), followed by the output (- for standard output).")
    var files: [Input]

    func validate() throws {
        if driver { return try MergeDriver.validate(files) }
        guard files.count > 1 else {
            throw ValidationError("expected one or more archives and an output, found one argument")
        }
        try files.dropLast().requireOneStandardInput()
    }

    func run() throws {
        if driver { return try MergeDriver(files).run(sizes) }
        let inputs = files.dropLast()
        guard let output = files.last.map({ Output(argument: $0.argument) }) else { return }
        try output.requireNew(hint: "the last argument is the output, so choose a new name")
        // All archives are open at the same time.
        DescriptorLimit.raise()
        var merger = HARMerger()
        for input in inputs { merger.add(try input.archive(sizes)) }
        let size = inputs.reduce(0) { $0 + ($1.url.fileSize ?? 0) }
        let writer = try output.writer(isNew: true)
        var bytes = 0
        let progress = ReadingProgress(of: size, isQuiet: output.mayBeTerminal)
        defer { progress.clear() }
        try merger.write(to: writer) { count in
            bytes += count
            progress.update(bytes)
        }
        try writer.finish()
        progress.clear()
        StandardError.notice(
            "\(merger.count.of("entry", "entries")) from \(inputs.count.of("archive", "archives")) merged")
    }
}
