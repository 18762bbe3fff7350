public import Foundation

extension HARArchive {
    /// The minimum time between the last change of an archive and opening it to write an index, in seconds.
    package static var indexSettlingTime: TimeInterval { ArchiveStamp.settlingTime }

    /// Writes an index that makes opening the archive faster.
    ///
    /// The file is written atomically, and only its owner can read it.
    ///
    /// Every entry is validated first, because an archive that is opened with an index is not read completely.
    ///
    /// - Parameter location: The location of the index; the user's cache folder by default.
    /// - Returns: The index file.
    /// - Throws: `malformedJSON` if an entry is broken; ``damage`` if the archive is truncated; `unwritableFile` if the
    ///   index cannot be written or the location is the archive itself; `unreadableFile` if the archive is not a
    ///   regular file, has changed since it was opened, or was changed less than two seconds before it was opened. In
    ///   the last case, the modification time might not reveal another change.
    /// - Complexity: O(*n*) in the size of the archive.
    @discardableResult
    public func writeIndex(to location: IndexLocation = .userCache) throws(HARError) -> URL {
        try validate()
        return try keepIndex(in: location)
    }

    /// Writes the index without validating the entries, which are validated when they are read.
    func keepIndex(in location: IndexLocation) throws(HARError) -> URL {
        if let damage { throw damage }
        guard let stamp else {
            throw .unreadable(
                file.name, "Only an uncompressed, regular file can have an index. Copy the archive to a new file first."
            )
        }
        guard stamp.isSettled(at: opened) else {
            throw .unreadable(
                file.name,
                "No index was written, because the file changed just before it was opened. Open the file again after "
                    + "two seconds.")
        }
        let target = location.file(of: url)
        try location.checkFile(of: url)
        try location.createFolder()
        try indexed.write(to: target, of: file, stamp: stamp)
        location.removeUnused(at: opened)
        return target
    }

    /// A policy for using a stored index instead of parsing the whole archive.
    public struct IndexUse: Sendable, Hashable {
        /// The location of the index, or nil if no index is used.
        let location: IndexLocation?

        /// Whether an index is written if no usable index exists.
        let isWritten: Bool

        /// A policy that neither uses nor writes an index.
        public static let never = Self(location: nil, isWritten: false)

        /// Returns a policy that uses an existing index but does not write one.
        ///
        /// - Parameter location: The location of the index; the user's cache folder by default.
        /// - Returns: The policy.
        public static func use(in location: IndexLocation = .userCache) -> Self {
            Self(location: location, isWritten: false)
        }

        /// Returns a policy that uses an existing index, and writes one if no usable index exists.
        ///
        /// A failure to write the index is ignored. The index contains the URLs of the archive, and only its owner can
        /// read it.
        ///
        /// - Parameter location: The location of the index; the user's cache folder by default.
        /// - Returns: The policy.
        public static func keep(in location: IndexLocation = .userCache) -> Self {
            Self(location: location, isWritten: true)
        }
    }

    /// The location of an archive's index.
    public struct IndexLocation: Sendable, Hashable {
        private enum Kind: Hashable {
            case userCache
            case folder(URL)
            case file(URL)
        }

        private let kind: Kind

        /// The folder `relay` in the user's cache folder: `$XDG_CACHE_HOME` or `~/.cache` on Linux.
        public static let userCache = Self(kind: .userCache)

        /// Returns a location for the indexes of many archives: a folder, which is created if necessary.
        public static func folder(_ url: URL) -> Self { Self(kind: .folder(url)) }

        /// Returns a location for the index of one archive: a file.
        public static func file(_ url: URL) -> Self { Self(kind: .file(url)) }

        /// Returns the file for the index of an archive, whether or not it exists.
        ///
        /// In a folder, the file name consists of the archive's name and a hash of the archive's path after symbolic
        /// links are resolved.
        ///
        /// - Parameter archive: The archive.
        /// - Returns: The file.
        public func file(of archive: URL) -> URL {
            if case .file(let url) = kind { return url }
            let path = archive.resolvingSymlinksInPath().standardizedFileURL.path
            var hash = ContentHash()
            Array(path.utf8).withUnsafeBytes { hash.add($0) }
            let number = withUnsafeBytes(of: hash.value.bigEndian) { Hexadecimal.text($0) }
            // A file name can have at most 255 bytes. The archive's name is included only for readability.
            var name = URL(fileURLWithPath: path).lastPathComponent
            while name.utf8.count > 200 { name.removeLast() }
            return folder.appendingPathComponent("\(name)-\(number)\(Self.fileExtension)")
        }

        /// Checks that the file at this location, if it exists, may be overwritten or deleted as an index.
        ///
        /// - Parameters:
        ///   - archive: The archive.
        ///   - isNamedByUser: Whether the user specified the file, so that its header is checked; false by default.
        ///     Files in an index folder are assumed to be indexes.
        /// - Returns: Whether the file exists.
        /// - Throws: `unwritableFile` if the file is the archive itself, is not a regular file, or was specified by the
        ///   user and is not an index.
        @discardableResult
        package func checkFile(of archive: URL, isNamedByUser: Bool = false) throws(HARError) -> Bool {
            let target = file(of: archive)
            guard let identity = FileIdentity(of: target.path) else { return false }
            var isIndex = identity.isRegular && identity != FileIdentity(of: archive.path)
            if case .file = kind, isNamedByUser { isIndex = isIndex && IndexHeader.begins(target) }
            guard isIndex else {
                throw .unwritable(
                    target.path,
                    "The file is not an archive index and was not changed. Specify another file for the index.")
            }
            return true
        }

        private var folder: URL {
            if case .folder(let url) = kind { url } else { UserFolder.caches.appendingPathComponent("relay") }
        }

        /// The time after which an unused index is removed, in seconds.
        private static let retentionTime: TimeInterval = 30 * 86400

        /// Deletes all indexes in the folder that have not been used for 30 days, such as indexes of deleted archives.
        ///
        /// - Parameter now: The current time.
        func removeUnused(at now: Date) {
            if case .file = kind { return }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names where name.hasSuffix(Self.fileExtension) {
                let url = folder.appendingPathComponent(name)
                guard let file = try? InputFile(url: url, waitsForWriter: false), let stamp = file.stamp,
                    now.timeIntervalSince1970 - Double(stamp.seconds) > Self.retentionTime, IndexHeader.begins(url)
                else { continue }
                _ = FileSystemCalls.current.remove(url.path)
            }
        }

        /// Updates the modification time of an index to mark it as used, at most once a day.
        func noteUse(of archive: URL, at now: Date) {
            let path = file(of: archive).path
            guard let stamp = (try? InputFile(url: URL(fileURLWithPath: path), waitsForWriter: false))?.stamp,
                now.timeIntervalSince1970 - Double(stamp.seconds) > 86400
            else { return }
            try? FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: path)
        }

        private static let fileExtension = ".harindex"

        /// Creates the folder if necessary, accessible only to the user.
        func createFolder() throws(HARError) {
            if case .file = kind { return }
            try FileSystemCalls.current.createFolders(folder, mode: 0o700)
        }
    }
}
