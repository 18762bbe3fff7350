package import Foundation
package import HTTPArchive

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

    /// Damage of compressed data.
    package enum CompressionDamage: Sendable, Hashable {
        /// All data was decompressed, but does not match its checksum, so the content can be damaged.
        case checksum

        /// Some of the data, or only its checksum, is damaged or missing.
        case data
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
    package private(set) var entryCount = 0

    /// The size of the incomplete text at the end of truncated archives, in bytes, or nil if no archive is truncated.
    ///
    /// Separators before and after the text do not count.
    package private(set) var removedByteCount: Int?

    /// The number of omitted ranges, usually one per broken entry, or nil if the file was not rewritten.
    package private(set) var brokenEntryCount: Int?

    /// The number of omitted ranges that are fields outside the entries.
    package private(set) var brokenFieldCount = 0

    /// The damage of the compressed data, or nil if it is intact or the file is not compressed.
    package private(set) var compressionDamage: CompressionDamage?

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
    ///   - unreadBody: A closure that receives the error for a body file that cannot be read, although the repaired
    ///     archive in another folder needs its content; it does nothing by default.
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
        progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil,
        unreadBody: @escaping (HARError) -> Void = { _ in }, report: @escaping (RepairNote) -> Void = { _ in }
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
        var conversions: [Repair.Conversion] = []
        if isCompressed {
            let compressed = input
            var hasText = false
            input = try InputFile(copyNamed: input.name) { buffer throws(HARError) in
                do throws(HARError) {
                    let count = try compressed.read(into: buffer).count
                    hasText = hasText || count > 0
                    return count
                } catch {
                    guard hasText, error.code == .unreadableFile else { throw error }
                    compressionDamage = error.underlying is ChecksumMismatch ? .checksum : .data
                    return 0
                }
            }
            if let damage = compressionDamage {
                let message = "Kept the text, although it does not match its checksum."
                conversions.append((.compressedData, damage == .checksum ? message : nil))
            }
        }
        if let order {
            input = try UTF16Reader.file(from: input, order)
            conversions.append((.textEncoding, nil))
        } else if try input.bytes(in: 0..<min(3, input.size ?? 0)) == [0xEF, 0xBB, 0xBF] {
            conversions.append((.textEncoding, "Removed a byte order mark, which JSON does not allow."))
        }
        if let progress { input = InputFile(input, progress: progress) }
        let repair = Repair(
            url: url, input: input, file: file, format: format, conversions: conversions, destination: destination,
            brokenEntries: brokenEntries, configuration: configuration, unreadBody: unreadBody,
            report: RepairReport(of: input, receive: report))
        try run(repair)
    }

    /// The parameters of a repair.
    private struct Repair {
        let url: URL
        var input: InputFile

        /// The file, locked, or nil if it is not changed in place.
        let file: LockedFile?

        /// The compression of the file, or nil if it is not compressed.
        let format: (any CompressionFormat)?

        typealias Conversion = (kind: RepairNote.Kind, message: String?)

        /// The repairs of the whole text, which require that the file is rewritten.
        let conversions: [Conversion]

        let destination: Destination
        let brokenEntries: BrokenEntries
        let configuration: HARReader.Configuration
        let unreadBody: (HARError) -> Void
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

        /// Returns a writer for a file.
        func writer(to output: OutputFile) -> HARWriter {
            let writer = HARWriter(to: output)
            writer.unreadBodyHandler = unreadBody
            return writer
        }
    }

    private mutating func run(_ repair: Repair) throws(HARError) {
        var failure: HARError?
        for (kind, message) in repair.conversions {
            try repair.report.add(kind, message, at: [], offset: 0)
        }
        do throws(HARError) {
            let index = try ArchiveIndex(of: repair.input, configuration: repair.configuration)
            if try finish(with: index, repair) { return }
        } catch {
            switch error.code {
            case .malformedJSON, .notAnArchive: break
            case .limitExceeded where repair.brokenEntries != .refused: break
            default: throw error
            }
            failure = error
            if let file = repair.file, error.code == .malformedJSON, let change = try Self.truncation(repair) {
                removedByteCount = try Self.report(change, repair)
                let index = try file.repair(repair.configuration)
                repairCount = repair.report.count
                failure = nil
                if try finish(with: index, repair) { return }
            }
        }
        try rewrite(repair, because: failure)
    }

    /// Finishes the repair if nothing else is to be repaired, and returns whether this is so.
    private mutating func finish(with index: ArchiveIndex, _ repair: Repair) throws(HARError) -> Bool {
        let archive = HARArchive(
            file: repair.input, at: repair.url, index: index, configuration: repair.configuration, stamp: nil,
            opened: Date(), damage: nil)
        guard repair.conversions.isEmpty, try archive.needsNoRepair() else { return false }
        entryCount = archive.count
        guard case .output(let output) = repair.destination else { return true }
        // References to body files are invalid in another folder.
        let movesBodies = try archive.bodyFolder.isContainer() || !archive.bodyFolder.isSame(as: output.folder)
        if movesBodies, try archive.mayHaveBodyFiles() {
            let writer = repair.writer(to: output)
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
        // Without entries, the incomplete text can contain entries under another name.
        guard let archive = try TruncatedArchive(of: repair.input, limits: repair.limits), archive.entriesRange != nil
        else { return nil }
        guard case .truncate(let end, _) = archive.repair else { return archive.repair }
        // The incomplete end can contain another archive, or be complete except for a comma.
        let reader = LenientReader(repair.input, size: archive.size, limits: repair.limits)
        if try reader.findsLandmark(after: end) { return nil }
        let next = try reader.skipSeparators(from: end)
        // The list of entries is not closed, so an entry can contain others.
        if try repair.input.bytes(in: next..<min(archive.size, next + 1)) == [UInt8(ascii: "}")] { return nil }
        guard try repair.input.bytes(in: end..<next).contains(UInt8(ascii: ",")) else { return archive.repair }
        reader.offset = next
        return try reader.nextByte() == UInt8(ascii: "]") ? nil : archive.repair
    }

    /// Reports the repair of a truncated archive, and returns the size of the incomplete text, in bytes.
    private static func report(_ change: TruncatedArchive.Repair, _ repair: Repair) throws(HARError) -> Int {
        let size = repair.input.size ?? 0
        let removed =
            switch change {
            case .truncate(let end, _): end..<size
            case .blank(let range): range
            }
        let reader = LenientReader(repair.input, size: removed.upperBound, limits: repair.limits)
        let end = try reader.end(of: removed)
        let start = min(end, try reader.skipSeparators(from: removed.lowerBound))
        if start < end { try repair.report.add(.incompleteEntry, at: ["log"], offset: start) }
        if case .truncate = change { try repair.report.add(.missingEnd, at: ["log"], offset: size) }
        return end - start
    }

    // MARK: Rewriting

    private mutating func rewrite(_ repair: Repair, because failure: HARError?) throws(HARError) {
        guard let size = repair.input.size else {
            throw HARError(
                .unreadableFile, "Only a regular file can be repaired. Save the archive to a file first.",
                at: .init(file: repair.input.name))
        }
        var repair = repair
        let scan: ArchiveScan
        do throws(HARError) {
            scan = try Self.scan(&repair, size: size)
        } catch {
            guard error.code == .notAnArchive, let failure else { throw error }
            throw HARError(
                failure.code, "\(failure.message) \(error.message)", at: failure.context,
                underlying: failure.underlying)
        }
        let archive = RepairedArchive(
            scan, bodiesIn: HAR.BodyFolder(ofArchive: repair.url).limited(by: repair.configuration),
            report: repair.report)
        let broken = scan.broken.map(\.range) + scan.incomplete
        var aside: URL?
        if repair.brokenEntries == .refused, let error = scan.limitFailure { throw error }
        if repair.brokenEntries == .refused, !scan.broken.isEmpty { throw try refusal(of: scan, repair, failure) }
        if case .setAside(let url) = repair.brokenEntries, !broken.isEmpty {
            try Self.requireAbsent(url)
            if repair.writes {
                try Self.write(broken.sorted { $0.lowerBound < $1.lowerBound }, of: repair.input, to: url)
                aside = url
            }
        }
        let identity = FileIdentity(of: repair.url.path)
        do throws(HARError) {
            let writer = try repair.output().map(repair.writer)
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
        brokenFieldCount = scan.broken.count { $0.part == .field }
        repairCount = repair.report.count + scan.otherChangeCount
    }

    /// Throws if a file for broken text exists.
    private static func requireAbsent(_ url: URL) throws(HARError) {
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) == nil else {
            throw HARError(
                .unwritableFile, "The file for broken entries already exists. Move or delete it first.",
                at: .init(file: url.relativePath))
        }
    }

    /// Writes ranges of an archive to a file that only the user can read, each followed by a line break.
    private static func write(_ parts: [Range<Int>], of input: InputFile, to url: URL) throws(HARError) {
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.replacesFile = false
        // The rewritten archive lacks these ranges, so they must be on disk before it replaces the original.
        settings.isSynchronized = true
        let output = try OutputFile(url: url, settings: settings)
        for part in parts {
            try output.copy(part, of: input)
            try output.write(Array("\n".utf8))
        }
        try output.finish()
    }

    /// Scans the file or, if only strings in the file contain entries, the text of these strings.
    private static func scan(_ repair: inout Repair, size: Int) throws(HARError) -> ArchiveScan {
        let (input, limits) = (repair.input, repair.limits)
        let scan = Result { () throws(HARError) in try ArchiveScan(of: input, size: size, limits: limits) }
        switch scan {
        case .success(let scan) where !scan.mayHaveEncodedEntries: return scan
        case .failure(let error) where error.code != .notAnArchive: throw error
        default: break
        }
        var text = input
        for _ in 0..<EncodedJSONReader.maximumLevel {
            guard let size = text.size, let decoded = try EncodedJSONReader.file(from: text, size: size) else { break }
            text = decoded
            guard let size = text.size, let found = try? ArchiveScan(of: text, size: size, limits: limits),
                !found.entries.isEmpty
            else { continue }
            repair.input = decoded
            try repair.report.restart(with: decoded)
            return found
        }
        return try scan.get()
    }

    /// Returns the error for broken text.
    private func refusal(of scan: ArchiveScan, _ repair: Repair, _ failure: HARError?) throws(HARError) -> HARError {
        let help = "Move broken entries to another file with --broken aside, or delete them with --broken drop."
        let broken = scan.broken.first
        let range = broken?.range ?? 0..<0
        // The error of the strict parser, if it is about the same text, is more precise.
        let end = max(range.upperBound, scan.failure?.offset ?? 0)
        if let failure, failure.code == .malformedJSON, let offset = failure.context.byteOffset,
            range.lowerBound <= offset, offset <= end
        {
            return HARError(
                failure.code, "\(failure.message) \(help)", at: failure.context, underlying: failure.underlying)
        }
        let offset = scan.failure?.offset ?? range.lowerBound
        let index = scan.entries.count { $0.start < range.lowerBound } + scan.nullCount
        let isField = broken?.part == .field
        let position = try repair.input.position(at: offset)
        return HARError(
            .malformedJSON,
            "The JSON is invalid in \(isField ? "a field of the log" : "entry \(index)"): expected \(scan.failure?.expected ?? "an entry"). \(help)",
            at: .init(
                file: repair.input.name, pointer: JSONPointer(["log"] + (isField ? [] : ["entries", String(index)])),
                byteOffset: offset,
                line: position.line, column: position.column))
    }
}
