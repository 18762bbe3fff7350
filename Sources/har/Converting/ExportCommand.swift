import ArchiveInspection
import ArgumentParser
import EntryConditions
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
            whose body was not captured or cannot be read, are skipped, and a warning shows their number. Secrets are \
            not redacted; use har redact first. If the archive is damaged, the entries before the error are exported to \
            standard output, but a file is written only if all given indices are before the error. The exit status is 1.

            Indices after the archive, or conditions as in har filter, select entries.

            Example: har export --to curl page.har
            Example: har export --to curl page.har 3 7-9
            Example: har export --to k6 --host api.example.com page.har load.js
            Example: har export --to swift shop.har Tests/ShopStubs.swift
            """)

    @Option(help: "The output format.")
    var to: ExportFormat

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(
        help: ArgumentHelp(
            "The indices of the entries to export, and the file to write; all entries and standard output by default.",
            valueName: "index or output"),
        completion: .file())
    var rest: [String] = []

    @Option(name: .shortAndLong, help: "The file to write, such as a file whose name is a number.", completion: .file())
    var output: Output?

    func validate() throws {
        let names = rest.filter { NumberRanges(argument: $0) == nil }
        if let text = names.first(where: Self.isIndexLike) {
            throw ValidationError(
                "expected an index such as 3 or a range such as 7-9, found '\(text.printable)'; to write a file with "
                    + "this name, use --output")
        }
        if names.count > (output == nil ? 1 : 0) {
            throw ValidationError("expected one output, found '\((names.last ?? "").printable)'")
        }
        if !names.isEmpty, rest.last != names.first {
            throw ValidationError("expected the indices before the output '\((names.first ?? "").printable)'")
        }
    }

    /// Returns whether an argument is a mistyped index, such as `3-1`, `0x3` or `3..5`, rather than the name of a file.
    private static func isIndexLike(_ text: String) -> Bool {
        text.wholeMatch(of: /\d(?:[^.\/]*|[\d.,:\-]*)/) != nil
    }

    /// The indices of the entries to export; empty if all entries are exported.
    private var indices: [ClosedRange<Int>] { rest.compactMap(NumberRanges.init).flatMap(\.ranges) }

    /// The output.
    private var target: Output {
        output ?? Output(argument: rest.last { NumberRanges(argument: $0) == nil } ?? "-")
    }

    /// The filter for the entries to export, or nil for all entries.
    private var filter: HAREntryFilter? {
        let selected = indices.isEmpty ? nil : HAREntryFilter.any(of: indices.map(HAREntryFilter.indices))
        let filters = [selected, conditions.filter(in: sizes.folder(of: input))].compactMap { $0 }
        return filters.isEmpty ? nil : .all(of: filters)
    }

    func run() throws {
        try target.requireDistinct(from: input)
        let title = input.isStandardInput ? "archive" : input.url.deletingPathExtension().lastPathComponent
        let filter = filter
        let written: Written
        var damage: HARError?
        if to == .dvr {
            // Reordering needs random access, so input from a pipe is copied to a file.
            let archive = try input.archive(sizes, allowsDamage: true)
            let order: [Int]
            (order, damage) = try self.order(of: archive, by: filter)
            let sorted = order.sorted()
            written = try write(title: title) { position throws(HARError) in
                guard position < order.count else { return nil }
                var entry = try archive.entry(at: order[position])
                // Each entry gets the start time of the entry that it replaces.
                if order[position] != sorted[position] {
                    entry.startedDateTime = try archive.entry(at: sorted[position]).startedDateTime
                }
                return (entry, order[position])
            }
        } else {
            let reader = try input.reader(sizes)
            var count = 0
            written = try write(title: title, progress: reader) { _ throws(HARError) in
                do throws(HARError) {
                    while let entry = try reader.nextEntry() {
                        count += 1
                        if filter?.selects(entry, at: count - 1) ?? true { return (entry, count - 1) }
                    }
                } catch {
                    guard exportsEntries(before: count) else { throw error }
                    damage = error
                    return nil
                }
                try requireIndices(below: count)
                return nil
            }
        }
        for line in written.warnings(for: to.rawValue) { StandardError.line("har: warning: \(line)") }
        if let damage { throw damage }
        if filter != nil, written.count == 0 {
            StandardError.line("har: warning: no entry matches the conditions; the output has no entries")
        }
    }

    /// The counts of an export.
    private struct Written {
        /// The number of entries.
        var count = 0

        /// The number of entries that the format cannot represent.
        var skipped = 0

        /// The parts of exported entries that the format cannot represent, with the numbers of parts and entries.
        var losses: [ExportLoss: (count: Int, entries: Int)] = [:]

        /// Adds the parts of an exported entry that the format cannot represent.
        mutating func add(_ losses: [ExportLoss], of entry: HAR.Entry) {
            for loss in losses {
                let count = loss.count(in: entry)
                if count == 0 { continue }
                self.losses[loss, default: (0, 0)].count += count
                self.losses[loss, default: (0, 0)].entries += 1
            }
        }

        /// Returns the warnings about parts of the archive that were not exported.
        func warnings(for format: String) -> [String] {
            let entries = skipped.of("entry", "entries")
            let warnings = skipped > 0 ? ["skipped \(entries) that the \(format) format cannot represent"] : []
            return warnings
                + ExportLoss.allCases.compactMap { loss in
                    losses[loss].map { loss.warning($0.count, in: $0.entries, of: format) }
                }
        }
    }

    /// Writes all entries.
    ///
    /// - Returns: The counts.
    private func write(
        title: String, progress reader: HARReader? = nil,
        next: (_ position: Int) throws(HARError) -> (entry: HAR.Entry, index: Int)?
    ) throws(HARError) -> Written {
        let file = try target.file()
        let folder = sizes.folder(of: input)
        let progress = ReadingProgress(of: reader?.byteCount ?? input.url.fileSize)
        defer { progress.clear() }
        let write = { (text: String) throws(HARError) in
            try file.write(Array((file.isTerminal ? text.withoutControls : text).utf8))
        }
        var exporter = to.exporter.init()
        try write(exporter.beginning(title: title))
        var written = Written()
        while let (entry, index) = try next(written.count) {
            let exported = ExportedEntry(entry: entry, index: index, folder: folder)
            if let text = try exporter.text(of: exported) {
                try write(text)
                written.add(to.exporter.losses, of: entry)
            } else {
                if let note = exporter.note(onSkipping: exported) { try write(note) }
                written.skipped += 1
            }
            written.count += 1
            if let reader { progress.update(reader.bytesRead) }
        }
        try write(exporter.end)
        try file.finish()
        return written
    }

    /// Returns the indices of the entries in the order of a DVR cassette, and the error that ends the archive.
    private func order(
        of archive: HARArchive, by filter: HAREntryFilter?
    ) throws(HARError) -> (order: [Int], failure: HARError?) {
        let (indices, failure) = try SelectedEntries(of: input, sizes).indices(in: archive)
        if let failure {
            guard exportsEntries(before: indices.count) else { throw failure }
        } else {
            try requireIndices(below: archive.count)
        }
        var order: [Int] = []
        for index in try DVRExporter.order(of: indices, in: archive)
        where try filter?.selects(HAREntryFacts(of: archive, at: index), at: index) ?? true { order.append(index) }
        return (order, failure)
    }

    /// Returns whether the entries before an error are exported: to a pipe or a terminal, or if they are all selected
    /// entries.
    ///
    /// Otherwise, an incomplete file could be mistaken for a complete one.
    private func exportsEntries(before count: Int) -> Bool {
        let last = indices.map(\.upperBound).max()
        return count > 0 && (!target.isNamed || (last ?? .max) < count)
    }

    /// Throws if an index is out of range.
    private func requireIndices(below count: Int) throws(HARError) {
        guard let index = indices.map(\.upperBound).max(), index >= count else { return }
        throw HARError(entryIndex: index, count: count, file: input.name)
    }
}
