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

    /// The destination of the repaired archive.
    package enum Destination {
        /// The file itself. A file that needs no repair is unchanged.
        case sameFile

        /// Another file or a pipe. An archive that needs no repair is copied.
        case output(OutputFile)

        /// None: the repairs are only reported.
        case none
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
    ///   - name: The name for error messages; the path by default.
    ///   - destination: The destination of the repaired archive; the same file by default.
    ///   - brokenEntries: The handling of broken text; an error is thrown by default.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - progress: A closure that is called often with the number of bytes read so far; nil by default. The number
    ///     can exceed the size of the file, because the file may be read several times.
    ///   - report: A closure that receives each repair; it does nothing by default. Offsets refer to the decompressed
    ///     text in UTF-8.
    /// - Throws: `malformedJSON` if text is broken and `brokenEntries` is `refused`; `notAnArchive` if the file contains
    ///   no archive; `fileInUse`; `unwritableFile`; `limitExceeded` or `unreadableFile`. The file is unchanged, unless
    ///   an `unwritableFile` error occurs after it has been truncated or replaced.
    /// - Complexity: O(*n*) in the size of the file.
    package init(
        of url: URL, named name: String? = nil, to destination: Destination = .sameFile,
        brokenEntries: BrokenEntries = .refused,
        configuration: HARReader.Configuration = HARReader.Configuration(),
        progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil, report: @escaping (RepairNote) -> Void = { _ in }
    ) throws(HARError) {
        let isInPlace = if case .sameFile = destination { true } else { false }
        // Without waiting for a writer, a named pipe is rejected below.
        let stored = Result { () throws(HARError) in
            try InputFile(
                url: url, name: name, waitsForWriter: false,
                decompressedSizeLimit: configuration.maximumDecompressedSize)
        }
        let format = (try? stored.get())?.compressionFormat
        if isInPlace, let format, format.storesSeveralFiles {
            throw HARError(
                .unwritableFile,
                "An archive in a \(format.name) file cannot be repaired in place. Name another file for the repaired "
                    + "archive.",
                at: .init(file: url.relativePath))
        }
        let isCompressed = format != nil || CompressionFormats.compresses(url)
        let order = isCompressed ? nil : try UTF16Reader.byteOrder(of: stored)
        // A file that is not stored as UTF-8 text is always rewritten, so it needs no lock.
        let file = isInPlace && !isCompressed && order == nil ? try LockedFile(url: url, creates: false) : nil
        defer { withExtendedLifetime(file) {} }
        var input = if let file { file.input } else { try stored.get() }
        if isCompressed { input = try InputFile(decompressing: input) }
        if let order { input = try UTF16Reader.file(from: input, order) }
        if let progress { input = InputFile(input, progress: progress) }
        let repair = Repair(
            url: url, input: input, file: file, format: format, isTranscoded: order != nil, destination: destination,
            brokenEntries: brokenEntries, configuration: configuration,
            report: RepairReport(of: input, receive: report))
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

        /// Whether the file was converted from UTF-16.
        let isTranscoded: Bool

        let destination: Destination
        let brokenEntries: BrokenEntries
        let configuration: HARReader.Configuration
        let report: RepairReport

        var limits: JSONScanner.Limits { configuration.limits }

        /// Whether a file is written.
        var writes: Bool { if case .none = destination { false } else { true } }

        /// Opens the file to write, or returns nil if the repairs are only reported.
        func output() throws(HARError) -> OutputFile? {
            switch destination {
            case .none: return nil
            case .output(let output): return output
            case .sameFile:
                var settings = OutputFile.Settings()
                settings.compression = format.map { .format(fileExtension: $0.fileExtension) } ?? .none
                return try OutputFile(url: url, settings: settings)
            }
        }
    }

    private mutating func run(_ repair: Repair) throws(HARError) {
        var failure: HARError?
        if repair.isTranscoded { try repair.report.add(.textEncoding, at: JSONPointer([]), offset: 0) }
        do throws(HARError) {
            let index = try ArchiveIndex(of: repair.input, configuration: repair.configuration)
            if try finish(with: index, repair) { return }
        } catch {
            guard error.code == .malformedJSON || error.code == .notAnArchive else { throw error }
            failure = error
            if let file = repair.file, error.code == .malformedJSON, let change = try Self.truncation(repair) {
                try Self.report(change, repair)
                let (index, count) = try file.repair(repair.configuration)
                (removedByteCount, repairCount) = (count, repair.report.count)
                failure = nil
                if try finish(with: index, repair) { return }
            }
        }
        try rewrite(repair, because: failure)
    }

    /// Finishes the repair if nothing else is to be repaired, and returns whether this is so.
    private mutating func finish(with index: ArchiveIndex, _ repair: Repair) throws(HARError) -> Bool {
        let archive = HARArchive(
            file: repair.input, at: repair.url, index: index, limits: repair.limits, stamp: nil,
            opened: Date(), damage: nil)
        guard !repair.isTranscoded, try archive.needsNoRepair() else { return false }
        entryCount = archive.count
        guard case .output(let output) = repair.destination else { return true }
        if try archive.bodyFolder.isContainer() {
            let writer = HARWriter(to: output)
            try writer.write(archive.log) { () throws(HARError) in
                for index in 0..<archive.count { try writer.append(entryAt: index, of: archive) }
            }
            try writer.finish()
        } else {
            try output.copy(0..<(repair.input.size ?? 0), of: repair.input)
            try output.finish()
        }
        return true
    }

    // MARK: Truncated archives

    /// Returns the repair of a file whose end is missing, or nil if it has other damage.
    private static func truncation(_ repair: Repair) throws(HARError) -> TruncatedArchive.Repair? {
        guard let archive = try TruncatedArchive(of: repair.input, limits: repair.limits) else { return nil }
        guard case .truncate(let end, _) = archive.repair else { return archive.repair }
        // The incomplete end can contain another archive, or be complete except for a comma.
        let reader = LenientReader(repair.input, size: archive.size, limits: repair.limits)
        if try reader.findsLandmark(after: end) { return nil }
        let next = try reader.skipSeparators(from: end)
        guard try repair.input.bytes(in: end..<next).contains(UInt8(ascii: ",")) else { return archive.repair }
        reader.offset = next
        return try reader.nextByte() == UInt8(ascii: "]") ? nil : archive.repair
    }

    private static func report(_ change: TruncatedArchive.Repair, _ repair: Repair) throws(HARError) {
        let size = repair.input.size ?? 0
        let removed =
            switch change {
            case .truncate(let end, _): end..<size
            case .blank(let range): range
            }
        let reader = LenientReader(repair.input, size: removed.upperBound, limits: repair.limits)
        let text = try removed.lowerBound..<reader.end(of: removed)
        if !text.isEmpty {
            try repair.report.add(
                .incompleteEntry, at: JSONPointer(["log"]), offset: try reader.skipSeparators(from: text.lowerBound))
        }
        if case .truncate = change { try repair.report.add(.missingEnd, at: JSONPointer(["log"]), offset: size) }
    }

    // MARK: Rewriting

    private mutating func rewrite(_ repair: Repair, because failure: HARError?) throws(HARError) {
        guard let size = repair.input.size else {
            throw HARError(
                .unreadableFile, "Only a regular file can be repaired. Save the archive to a file first.",
                at: .init(file: repair.input.name))
        }
        let scan: ArchiveScan
        do throws(HARError) {
            scan = try ArchiveScan(of: repair.input, size: size, limits: repair.limits)
        } catch {
            guard error.code == .notAnArchive, let failure else { throw error }
            throw HARError(
                failure.code, "\(failure.message) \(error.message)", at: failure.context,
                underlying: failure.underlying)
        }
        let archive = RepairedArchive(
            scan, of: repair.input, bodiesIn: HAR.BodyFolder(ofArchive: repair.url), report: repair.report)
        let broken = scan.broken + scan.incomplete
        var aside: URL?
        if repair.brokenEntries == .refused, !scan.broken.isEmpty { throw try refusal(of: scan, repair, failure) }
        if case .setAside(let url) = repair.brokenEntries, !broken.isEmpty, repair.writes {
            try repair.input.copy(broken.sorted { $0.lowerBound < $1.lowerBound }, toNew: url)
            aside = url
        }
        let identity = FileIdentity(of: repair.url.path)
        do throws(HARError) {
            let writer = try repair.output().map { HARWriter(to: $0) }
            try archive.write(to: writer)
            try writer?.finish()
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
        repairCount = repair.report.count + scan.otherChangeCount
    }

    /// Returns the error for broken text.
    private func refusal(of scan: ArchiveScan, _ repair: Repair, _ failure: HARError?) throws(HARError) -> HARError {
        let help = "Move broken entries to another file with --broken aside, or delete them with --broken drop."
        let range = scan.broken.first ?? 0..<0
        // The error of the strict parser, if it is about the same text, is more precise.
        let end = max(range.upperBound, scan.failure?.offset ?? 0)
        if let failure, let offset = failure.context.byteOffset, range.lowerBound <= offset, offset <= end {
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
        _ = repair.cleaned(.object(log.documentFields))
        guard repair.changeCount == 0, !log.documentFields.members.contains(where: Self.isOtherLog),
            try hasOnlyEntries()
        else { return false }
        for index in 0..<count {
            guard let node = try entry(at: index).fields.node else { return false }
            guard !FieldCheck.conforms(node, as: .entry) else { continue }
            var repair = FieldRepair(defaultDate: "")
            _ = repair.repair(JSONObject(node: node), as: .entry)
            if repair.changeCount > 0 { return false }
        }
        return true
    }

    /// Returns whether every element of `entries` is an object.
    ///
    /// - Throws: `unreadableFile`.
    private func hasOnlyEntries() throws(HARError) -> Bool {
        guard indexed.entriesRange.lowerBound > 0 else { return true }
        var start = indexed.entriesRange.lowerBound
        for index in 0...count {
            let entry = index < count ? byteRange(at: index) : nil
            let end = entry?.lowerBound ?? indexed.entriesRange.upperBound
            var offset = start
            while offset < end {
                let text = try file.bytes(in: offset..<min(end, offset + 1 << 16))
                guard text.allSatisfy({ JSONText.isGap($0) }) else { return false }
                offset += text.count
            }
            start = entry?.upperBound ?? end
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
