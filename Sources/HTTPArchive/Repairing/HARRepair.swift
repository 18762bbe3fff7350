package import Foundation

/// The result of repairing an archive.
package struct HARRepair: Sendable, Hashable {
    /// The handling of broken text: entries and fields that cannot be read.
    package enum BrokenEntries: Sendable, Hashable {
        /// An error is thrown.
        case refused

        /// It is omitted.
        case dropped

        /// It is written to a new file, each part followed by a line break.
        case setAside(URL)
    }

    /// The number of entries after the repair.
    package private(set) var entryCount: Int

    /// The number of bytes removed from a truncated file, or nil if it was not truncated.
    package private(set) var removedByteCount: Int?

    /// The number of omitted ranges, usually one per broken entry, or nil if the file was not rewritten.
    package private(set) var brokenEntryCount: Int?

    /// The number of other repairs.
    package private(set) var repairCount = 0

    /// Repairs an archive.
    ///
    /// A file that is only truncated is repaired in place. For other repairs, a new archive is written, which replaces
    /// the file once it is complete. Entries that need no repair are copied unchanged.
    ///
    /// - Parameters:
    ///   - url: The file. No writer may have it open for appending.
    ///   - brokenEntries: The handling of broken text; an error is thrown by default.
    ///   - changesFile: Whether the file is changed; true by default. Otherwise, the repairs are only reported.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - progress: A closure that is called often with the number of bytes read so far; nil by default. The number
    ///     can exceed the size of the file, because the file may be read several times.
    ///   - report: A closure that receives each repair; it does nothing by default.
    /// - Throws: `malformedJSON` if text is broken and `brokenEntries` is `refused`; `notAnArchive` if the file contains
    ///   no archive; `fileInUse`; `unwritableFile`; `limitExceeded` or `unreadableFile`. The file is unchanged, unless
    ///   an `unwritableFile` error occurs after it has been truncated or replaced.
    /// - Complexity: O(*n*) in the size of the file.
    package init(
        of url: URL, brokenEntries: BrokenEntries = .refused, changesFile: Bool = true,
        configuration: HARReader.Configuration = HARReader.Configuration(),
        progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil, report: @escaping (RepairNote) -> Void = { _ in }
    ) throws(HARError) {
        // Without waiting for a writer, a named pipe is rejected below.
        let stored = Result { () throws(HARError) in
            try InputFile(
                url: url, waitsForWriter: false, decompressedSizeLimit: configuration.maximumDecompressedSize)
        }
        let format = (try? stored.get())?.compressionFormat
        if format?.storesSeveralFiles == true, changesFile {
            throw HARError(
                .unwritableFile,
                "An archive in a \(format?.name ?? "") file cannot be repaired in place. Unpack it first.",
                at: .init(file: url.relativePath))
        }
        // A compressed file is always rewritten, so it needs no lock.
        let isReplaced = format != nil || CompressionFormats.compresses(url)
        let file = isReplaced || !changesFile ? nil : try LockedFile(url: url, creates: false)
        defer { withExtendedLifetime(file) {} }
        var input = if let file { file.input } else { try stored.get() }
        if format != nil { input = try InputFile(decompressing: input) }
        if let progress { input = InputFile(input, progress: progress) }
        let repair = Repair(
            url: url, input: input, file: file, format: format, brokenEntries: brokenEntries,
            changesFile: changesFile, configuration: configuration, report: RepairReport(of: input, receive: report))
        self.init(entryCount: 0)
        try run(repair)
    }

    private init(entryCount: Int) {
        self.entryCount = entryCount
    }

    /// The parameters of a repair.
    private struct Repair {
        let url: URL
        let input: InputFile

        /// The file, locked, or nil if it is not changed in place.
        let file: LockedFile?

        /// The compression of the file, or nil if it is not compressed.
        let format: (any CompressionFormat)?

        let brokenEntries: BrokenEntries
        let changesFile: Bool
        let configuration: HARReader.Configuration
        let report: RepairReport
    }

    private mutating func run(_ repair: Repair) throws(HARError) {
        var failure: HARError?
        do throws(HARError) {
            let index = try ArchiveIndex(of: repair.input, configuration: repair.configuration)
            if try finish(with: index, repair) { return }
        } catch {
            guard error.code == .malformedJSON || error.code == .notAnArchive else { throw error }
            failure = error
            if let file = repair.file, error.code == .malformedJSON,
                try TruncatedArchive(of: repair.input, limits: repair.configuration.limits) != nil
            {
                let (index, count) = try file.repair(repair.configuration)
                removedByteCount = count
                failure = nil
                if try finish(with: index, repair) { return }
            }
        }
        try rewrite(repair, because: failure)
    }

    /// Finishes the repair if nothing else is to be repaired, and returns whether this is so.
    private mutating func finish(with index: ArchiveIndex, _ repair: Repair) throws(HARError) -> Bool {
        let archive = HARArchive(
            file: repair.input, at: repair.url, index: index, limits: repair.configuration.limits, stamp: nil,
            opened: Date(), damage: nil)
        guard try archive.needsNoRepair() else { return false }
        entryCount = archive.count
        return true
    }

    // MARK: Rewriting

    private mutating func rewrite(_ repair: Repair, because failure: HARError?) throws(HARError) {
        let limits = repair.configuration.limits
        guard let size = repair.input.size else {
            throw HARError(
                .unreadableFile, "Only a regular file can be repaired. Save the archive to a file first.",
                at: .init(file: repair.input.name))
        }
        let scan: ArchiveScan
        do throws(HARError) {
            scan = try ArchiveScan(of: repair.input, size: size, limits: limits)
        } catch {
            guard error.code == .notAnArchive, let failure else { throw error }
            throw HARError(
                failure.code, "\(failure.message) \(error.message)", at: failure.context,
                underlying: failure.underlying)
        }
        let archive = RepairedArchive(scan, of: repair.input, report: repair.report)
        let broken = scan.broken + scan.incomplete
        var aside: URL?
        if repair.brokenEntries == .refused, !scan.broken.isEmpty { throw try refusal(of: scan, repair, failure) }
        if case .setAside(let url) = repair.brokenEntries, !broken.isEmpty, repair.changesFile {
            try repair.input.copy(broken.sorted { $0.lowerBound < $1.lowerBound }, toNew: url)
            aside = url
        }
        let identity = FileIdentity(of: repair.url.path)
        do throws(HARError) {
            if repair.changesFile {
                var configuration = HARWriter.Configuration()
                configuration.compression =
                    repair.format.map { .format(fileExtension: $0.fileExtension) } ?? .none
                let writer = try HARWriter(to: repair.url, configuration: configuration)
                try archive.write(to: writer)
                try writer.finish()
            } else {
                try archive.write(to: nil)
            }
        } catch {
            // If the archive was replaced before the error, the broken text exists only in the other file.
            if let aside, FileIdentity(of: repair.url.path) == identity {
                _ = FileSystemCalls.current.remove(aside.path)
            }
            throw error
        }
        entryCount = scan.entries.count
        if !scan.incomplete.isEmpty {
            removedByteCount = (removedByteCount ?? 0) + scan.incomplete.reduce(0) { $0 + $1.count }
        }
        brokenEntryCount = scan.broken.count
        repairCount = repair.report.count + scan.otherChangeCount - scan.broken.count - scan.incomplete.count
    }

    /// Returns the error for broken text.
    private func refusal(of scan: ArchiveScan, _ repair: Repair, _ failure: HARError?) throws(HARError) -> HARError {
        let help = "Move broken entries to another file with --broken aside, or delete them with --broken drop."
        let range = scan.broken.first ?? 0..<0
        // The error of the strict parser, if it is about the same text, is more precise.
        if let failure, let offset = failure.context.byteOffset, range.contains(offset) {
            return HARError(
                failure.code, "\(failure.message) \(help)", at: failure.context, underlying: failure.underlying)
        }
        let offset = scan.failure?.offset ?? range.lowerBound
        let index = scan.entries.count { $0.start < range.lowerBound }
        let position = try repair.input.position(at: offset)
        return HARError(
            .malformedJSON,
            "The JSON is invalid in entry \(index): expected \(scan.failure?.expected ?? "an entry"). \(help)",
            at: .init(
                file: repair.input.name, pointer: JSONPointer(["log", "entries", String(index)]), byteOffset: offset,
                line: position.line, column: position.column))
    }
}

extension HARArchive {
    /// Returns whether every entry is valid, and neither an entry nor the log needs a repair.
    ///
    /// - Throws: `malformedJSON` for a broken entry; `unreadableFile`.
    fileprivate func needsNoRepair() throws(HARError) -> Bool {
        try validate()
        var repair = FieldRepair(defaultDate: "")
        _ = repair.repair(log.fields, as: .log)
        guard repair.changeCount == 0, !log.documentFields.members.contains(where: Self.isOtherLog) else {
            return false
        }
        for index in 0..<count {
            guard let node = try entry(at: index).fields.node else { return false }
            guard !FieldCheck.conforms(node, as: .entry) else { continue }
            var repair = FieldRepair(defaultDate: "")
            _ = repair.repair(JSONObject(node: node), as: .entry)
            if repair.changeCount > 0 { return false }
        }
        return true
    }

    private static func isOtherLog(_ member: JSONObject.Member) -> Bool { member.name == "log" && member.value != [:] }
}

extension InputFile {
    /// Writes ranges of the file to a new file that only the user can read, each followed by a line break.
    fileprivate func copy(_ parts: [Range<Int>], toNew url: URL) throws(HARError) {
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) == nil else {
            throw HARError(
                .unwritableFile, "The file for broken entries already exists. Move or delete it first.",
                at: .init(file: url.relativePath))
        }
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.replacesFile = false
        // The rewritten archive lacks these ranges, so they must be on disk before it replaces the original.
        settings.isSynchronized = true
        let output = try OutputFile(url: url, settings: settings)
        for part in parts {
            try output.copy(part, of: self)
            try output.write(Array("\n".utf8))
        }
        try output.finish()
    }
}
