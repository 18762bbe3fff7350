import ArgumentParser
import Foundation
import HTTPArchive

/// `har copy`: an archive read and written again.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Read an archive and write it again, whole.",
        discussion: """
            The copy is equal in every value, in the order of all fields and in the text of numbers. It takes little \
            memory, however large the archive. The output appears under its name when it is whole; it may be the input. \
            Bodies in files beside the archive are not copied.

            Example: har copy --layout pretty page.har readable.har
            Example: har copy - - < page.har | gzip > page.har.gz
            """)

    @Option(help: "How the JSON is laid out: as it was read, without white space, or a line for each value.")
    var layout = Layout.unchanged

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output

    func run() throws {
        let reader = try input.reader()
        let writer = try output.writer(layout: layout.value)
        let progress = ReadingProgress(of: reader.byteCount)
        defer { progress.clear() }
        while let event = try reader.nextEvent() {
            try writer.write(event)
            progress.update(reader.bytesRead)
        }
        try writer.finish()
    }
}

extension CopyCommand {
    /// The layouts by the names they have on the command line.
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
}
