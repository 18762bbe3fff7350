package import Foundation

/// The result of repairing an archive.
package struct HARRepair: Sendable, Hashable {
    /// The handling of broken entries.
    package enum BrokenEntries: Sendable, Hashable {
        /// An error is thrown.
        case refused

        /// They are omitted.
        case dropped

        /// They are written to a new file, each followed by a line break.
        case setAside(URL)
    }

    /// The number of entries after the repair.
    package let entryCount: Int

    /// The number of bytes removed from a truncated file, or nil if it was not truncated.
    package let removedByteCount: Int?

    /// The number of omitted ranges, usually one per broken entry, or nil if the file was not rewritten.
    package let brokenEntryCount: Int?

    /// Repairs an archive whose end is missing or whose entries are broken.
    ///
    /// A truncated file is repaired in place. If entries are broken, all other entries are copied unchanged to a new
    /// archive, which replaces the file once it is complete.
    ///
    /// - Parameters:
    ///   - url: The file. No writer may have it open for appending.
    ///   - brokenEntries: The handling of broken entries; an error is thrown by default.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - progress: A closure that is called often with the number of bytes read so far; nil by default. The number
    ///     can exceed the size of the file, because the file may be read several times.
    /// - Throws: `malformedJSON` if an entry is broken and `brokenEntries` is `refused`, or if the text before the
    ///   entries is invalid; `fileInUse`; `unwritableFile`; `notAnArchive`, `limitExceeded` or `unreadableFile`. The
    ///   file is unchanged, unless an `unwritableFile` error occurs after it has been truncated or replaced.
    /// - Complexity: O(*n*) in the size of the file.
    package init(
        of url: URL, brokenEntries: BrokenEntries = .refused,
        configuration: HARReader.Configuration = HARReader.Configuration(),
        progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil
    ) throws(HARError) {
        let file = try LockedFile(url: url, creates: false)
        defer { withExtendedLifetime(file) {} }
        let input = progress.map { InputFile(file.input, progress: $0) } ?? file.input
        switch try Self.state(of: input, at: url, configuration) {
        case .whole(let count):
            self.init(entryCount: count, removedByteCount: nil, brokenEntryCount: nil)
        case .truncated:
            let (index, count) = try file.repair(configuration)
            self.init(entryCount: index.table.count, removedByteCount: count, brokenEntryCount: nil)
        case .broken(let salvage, let failure):
            let archive = HARArchive(
                of: input, at: url, index: ArchiveIndex(salvage, limits: configuration.limits),
                limits: configuration.limits)
            try archive.write(over: url, leavingOut: salvage.broken, as: brokenEntries, because: failure)
            self.init(entryCount: archive.count, removedByteCount: nil, brokenEntryCount: salvage.broken.count)
        }
    }

    private init(entryCount: Int, removedByteCount: Int?, brokenEntryCount: Int?) {
        self.entryCount = entryCount
        self.removedByteCount = removedByteCount
        self.brokenEntryCount = brokenEntryCount
    }

    /// The condition of a file.
    private enum State {
        case whole(entryCount: Int)

        /// The end is missing, and everything else is valid.
        case truncated

        case broken(ArchiveRecovery, HARError)
    }

    private static func state(
        of file: InputFile, at url: URL, _ configuration: HARReader.Configuration
    ) throws(HARError) -> State {
        let limits = configuration.limits
        let index: ArchiveIndex
        do throws(HARError) {
            index = try ArchiveIndex(of: file, configuration: configuration)
        } catch {
            guard error.code == .malformedJSON else { throw error }
            if try TruncatedArchive(of: file, limits: limits) != nil { return .truncated }
            if let salvage = try ArchiveRecovery(of: file, limits: limits) { return .broken(salvage, error) }
            throw HARError(
                .malformedJSON,
                "\(error.message) The archive cannot be repaired, because the text before its entries is invalid. "
                    + "Correct that text in an editor.",
                at: error.context, underlying: error)
        }
        let archive = HARArchive(of: file, at: url, index: index, limits: limits)
        do throws(HARError) {
            try archive.validate()
            return .whole(entryCount: archive.count)
        } catch {
            guard error.code == .malformedJSON else { throw error }
            return .broken(try ArchiveRecovery(of: archive), error)
        }
    }
}

extension ArchiveIndex {
    fileprivate init(_ salvage: ArchiveRecovery, limits: JSONScanner.Limits) {
        self.init(table: salvage.table, log: salvage.log, entriesRange: 0..<0, neededLimits: limits)
    }
}

extension HARArchive {
    fileprivate convenience init(
        of file: InputFile, at url: URL, index: ArchiveIndex, limits: JSONScanner.Limits
    ) {
        self.init(file: file, at: url, index: index, limits: limits, stamp: nil, opened: Date(), damage: nil)
    }

    /// Writes the archive to a new file that replaces the old one.
    fileprivate func write(
        over url: URL, leavingOut broken: [Range<Int>], as treatment: HARRepair.BrokenEntries,
        because failure: HARError
    ) throws(HARError) {
        let identity = FileIdentity(of: url.path)
        var leftOut: URL?
        switch treatment {
        case .refused where !broken.isEmpty:
            let help = "Move broken entries to another file with --broken aside, or delete them with --broken drop."
            throw HARError(
                failure.code, "\(failure.message) \(help)", at: failure.context, underlying: failure.underlying)
        case .setAside(let file) where !broken.isEmpty:
            try write(broken, to: file)
            leftOut = file
        case .refused, .setAside, .dropped: break
        }
        do {
            let writer = try HARWriter(to: url)
            try writer.write(log) { () throws(HARError) in
                for index in 0..<count { try writer.append(entryAt: index, of: self) }
            }
            try writer.finish()
        } catch {
            // If the archive was replaced before the error, the broken entries exist only in the other file.
            if let leftOut, FileIdentity(of: url.path) == identity { _ = FileSystemCalls.current.remove(leftOut.path) }
            throw error
        }
    }

    /// Writes ranges of the file to a new file, each followed by a line break.
    private func write(_ parts: [Range<Int>], to url: URL) throws(HARError) {
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
            try output.copy(part, of: file)
            try output.write(Array("\n".utf8))
        }
        try output.finish()
    }
}
