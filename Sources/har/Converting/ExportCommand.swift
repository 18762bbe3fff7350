import ArgumentParser
import Foundation
import HTTPArchive

/// `har export`: writes an archive in the format of another tool.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an archive in the format of another tool.",
        discussion: """
            curl      a script for a POSIX shell that calls curl for each request
            vinyl     a vinyl of Vinyl
            dvr       a cassette of DVR
            ndjson    the entries as JSON, one per line
            markdown  a document for people
            k6        a load test for k6, with a check of each status
            swift     the responses as rules in Swift code for Relay: interceptor.add(ShopStubs.rules)

            Entries are read and written one at a time. Entries that the format cannot express, such as entries whose \
            body was not captured, are skipped and counted on standard error. Secrets are not redacted; \
            use har redact before.

            Example: har export --to curl page.har
            Example: har export --to swift shop.har Tests/ShopStubs.swift
            """)

    @Option(help: "The format.")
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
        StandardError.line("\(skipped.of("entry", "entries")) skipped: not expressible as \(to.exporter.name)")
    }

    /// Writes all entries, and returns the number of entries that the format cannot express.
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
                skipped += 1
            }
            index += 1
            if let reader { progress.update(reader.bytesRead) }
        }
        try write(exporter.end)
        try file.finish()
        return skipped
    }

    /// The archive, or nil if its entries are exported in their own order, in one pass.
    private func reorderedArchive() throws(HARError) -> OrderedArchive? {
        // Reordering needs random access, and thus a copy of a pipe.
        guard to.exporter.mayReorder else { return nil }
        let archive = try input.archive(sizes)
        return OrderedArchive(archive, order: try to.exporter.order(of: archive))
    }
}
