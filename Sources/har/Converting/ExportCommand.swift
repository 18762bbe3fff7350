import ArgumentParser
import Foundation
import HTTPArchive

/// `har export`: an archive in the form of another tool.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an archive in the form of another tool.",
        discussion: """
            curl      a script for a POSIX shell with a call of curl for each request
            vinyl     a vinyl of Vinyl
            dvr       a cassette of DVR
            ndjson    the entries as they stand, one a line
            markdown  a document for people
            k6        a load test for k6, with a check of each status
            swift     the answers as rules in Swift code for Relay: interceptor.add(ShopStubs.rules)

            Entries are read and written one after the other. Those that the form cannot express, as one whose body was \
            not captured, are left out, and counted on standard error. Secrets are written as they stand in the archive: \
            har redact takes them out. The output appears under its name when it is whole.

            Example: har export --to curl page.har
            Example: har export --to swift shop.har Tests/ShopStubs.swift
            """)

    @Option(help: "The form.")
    var to: ExportForm

    @OptionGroup var bodyFiles: BodyFileOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; standard output by default.", completion: .file())
    var output = Output(argument: "-")

    func run() throws {
        try output.mustNotBe(input)
        let title = input.isStandardInput ? "archive" : input.url.deletingPathExtension().lastPathComponent
        var exporter = to.exporter.init(title: title)
        let leftOut: Int
        if let archive = try archiveInOtherOrder() {
            leftOut = try write(with: &exporter) { index throws(HARError) in try archive.next(index) }
        } else {
            let reader = try input.reader()
            leftOut = try write(with: &exporter, progress: reader) { _ throws(HARError) in try reader.nextEntry() }
        }
        guard leftOut > 0 else { return }
        StandardError.line("\(leftOut.of("entry", "entries")) left out, which \(to.exporter.name) cannot express")
    }

    /// Writes entry after entry, and counts those that the form cannot express.
    private func write(
        with exporter: inout any ArchiveExporter, progress reader: HARReader? = nil,
        next: (Int) throws(HARError) -> HAR.Entry?
    ) throws(HARError) -> Int {
        let file = try output.file()
        let folder = bodyFiles.folder(of: input)
        let progress = ReadingProgress(of: reader?.byteCount ?? input.url.fileSize)
        defer { progress.clear() }
        try file.write(Array(exporter.beginning.utf8))
        var index = 0
        var leftOut = 0
        while let entry = try next(index) {
            let exported = try ExportedEntry(entry, at: index, folder: folder)
            if let text = try exporter.text(of: exported) { try file.write(Array(text.utf8)) } else { leftOut += 1 }
            index += 1
            if let reader { progress.update(reader.bytesRead) }
        }
        try file.write(Array(exporter.end.utf8))
        try file.finish()
        return leftOut
    }

    /// The archive, where its entries are written in another order than its own.
    private func archiveInOtherOrder() throws(HARError) -> OrderedArchive? {
        // What comes by a pipe is read once: only a form that may want another order gets a copy of it.
        guard to.exporter.mayReorder else { return nil }
        let archive = try input.archive()
        return OrderedArchive(archive, order: try to.exporter.order(of: archive))
    }
}
