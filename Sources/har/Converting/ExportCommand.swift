import ArgumentParser
import Foundation
import HTTPArchive

/// `har export`: converts an archive to the format of another tool.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Convert an archive to the format of another tool.",
        discussion: """
            curl      a POSIX shell script that runs curl for each request
            vinyl     a Vinyl recording
            dvr       a DVR cassette
            ndjson    the entries as JSON, one per line
            markdown  a Markdown document
            k6        a k6 load test that checks the status of each response
            swift     the responses as Relay rules in Swift code: interceptor.add(ShopStubs.rules)

            Entries are read and written one at a time. Entries that the format cannot represent, such as entries \
            whose body was not captured, are skipped, and a warning shows their number. Secrets are not redacted; use \
            har redact first.

            Example: har export --to curl page.har
            Example: har export --to swift shop.har Tests/ShopStubs.swift
            """)

    @Option(help: "The output format.")
    var to: ExportFormat

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var output = Output(argument: "-")

    func run() throws {
        try output.requireDistinct(from: input)
        let title = input.isStandardInput ? "archive" : input.url.deletingPathExtension().lastPathComponent
        var exporter = to.exporter.init(title: title)
        let skipped: Int
        if let archive = try reorderedArchive() {
            skipped = try write(with: &exporter) { index throws(HARError) in try archive.next(index) }
        } else {
            let reader = try input.reader(sizes)
            skipped = try write(with: &exporter, progress: reader) { _ throws(HARError) in try reader.nextEntry() }
        }
        guard skipped > 0 else { return }
        let entries = skipped.of("entry", "entries")
        StandardError.line("har: warning: skipped \(entries) that the \(to.exporter.name) format cannot represent")
    }

    /// Writes all entries, and returns the number of entries that the format cannot represent.
    private func write(
        with exporter: inout any ArchiveExporter, progress reader: HARReader? = nil,
        next: (Int) throws(HARError) -> HAR.Entry?
    ) throws(HARError) -> Int {
        let file = try output.file()
        let folder = sizes.folder(of: input)
        let progress = ReadingProgress(of: reader?.byteCount ?? input.url.fileSize)
        defer { progress.clear() }
        let write = { (text: String) throws(HARError) in
            try file.write(Array((file.isTerminal ? text.withoutControls : text).utf8))
        }
        try write(exporter.beginning)
        var index = 0
        var skipped = 0
        while let entry = try next(index) {
            let exported = try ExportedEntry(entry, at: index, folder: folder)
            if let text = try exporter.text(of: exported) {
                try write(text)
            } else {
                if let note = exporter.note(onSkipping: exported) { try write(note) }
                skipped += 1
            }
            index += 1
            if let reader { progress.update(reader.bytesRead) }
        }
        try write(exporter.end)
        try file.finish()
        return skipped
    }

    /// Returns the archive in export order, or nil if the entries keep their order and one pass is enough.
    private func reorderedArchive() throws(HARError) -> OrderedArchive? {
        // Reordering needs random access, so input from a pipe is copied to a file.
        guard to.exporter.mayReorder else { return nil }
        let archive = try input.archive(sizes)
        return OrderedArchive(archive, order: try to.exporter.order(of: archive))
    }
}
