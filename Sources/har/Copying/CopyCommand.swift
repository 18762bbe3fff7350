import ArgumentParser
import Foundation
import HTTPArchive

/// `har copy`: copies an archive.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy an archive, optionally with a different layout.",
        discussion: """
            The copy keeps all values, the order of fields and the notation of numbers. Memory use does not depend on \
            the size of the archive. The output can be the same file as the input. A copy in the same folder refers to \
            the same body files. With --inline-bodies, in another folder, on standard output, or if the archive is in a \
            zip file, the copy contains the content of the body files instead of references to them.

            Example: har copy --layout pretty page.har readable.har
            Example: har copy page.har page.har.zst
            Example: har copy --inline-bodies recording.zip recording.har
            """)

    @Option(
        help: ArgumentHelp(
            "The layout of the JSON: entries as in the input and the rest indented, without whitespace, or with one "
                + "value per line."))
    var layout = Layout.unchanged

    @Flag(help: "Replace references to body files with the content of the files.")
    var inlineBodies = false

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output

    /// A layout as a command-line argument.
    enum Layout: String, CaseIterable, ExpressibleByArgument {
        case unchanged, compact, pretty

        var value: JSONLayout {
            switch self {
            case .unchanged: .unchanged
            case .compact: .compact
            case .pretty: .pretty
            }
        }
    }

    func run() throws {
        let reader = try input.reader(sizes)
        let writer = try output.writer(layout: layout.value)
        let progress = ReadingProgress(of: reader.byteCount, isQuiet: output.mayBeTerminal)
        defer { progress.clear() }
        let folder = sizes.folder(of: input)
        while var event = try reader.nextEvent() {
            if case .entry(var entry) = event {
                if inlineBodies {
                    try entry.embedBodies(from: folder)
                    event = .entry(entry)
                } else if let embedded = try writer.copy(of: entry, from: folder) {
                    event = .entry(embedded)
                }
            }
            try writer.write(event)
            progress.update(reader.bytesRead)
        }
        try writer.finish()
    }
}
