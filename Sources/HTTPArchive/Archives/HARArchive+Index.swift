public import Foundation

extension HARArchive {
    /// For how long an archive must have been left alone for its index to be kept, in seconds.
    package static var indexSettlingTime: TimeInterval { ArchiveStamp.settlingTime }

    /// Writes the index, so that the next opening need not make it.
    ///
    /// The file appears when it is whole, and only its owner can read it.
    ///
    /// Every entry is validated first, since a later opening need not read the archive any more.
    ///
    /// - Parameter location: Where to; among the user's caches by default.
    /// - Returns: The file.
    /// - Throws: `malformedJSON` for a broken entry; `unwritableFile`, also where the place is the archive itself;
    ///   ``damage``; `unreadableFile` when the archive is no file, was changed since it was opened, or less than two seconds
    ///   before that, for its time would not tell the next change.
    /// - Complexity: O(*n*) in the size of the archive.
    @discardableResult
    public func writeIndex(to location: IndexLocation = .userCache) throws(HARError) -> URL {
        try validate()
        return try keepIndex(in: location)
    }

    /// Writes the index without validating the entries: they are validated when they are read.
    func keepIndex(in location: IndexLocation) throws(HARError) -> URL {
        if let damage { throw damage }
        guard let stamp else {
            throw HARError(
                .unreadableFile, "An index is kept of a file only; copy this to one.", at: .init(file: file.name))
        }
        guard stamp.isSettled(at: opened) else {
            throw HARError(
                .unreadableFile, "The file was changed just before it was opened; open it again in two seconds.",
                at: .init(file: file.name))
        }
        let target = location.file(of: url)
        try location.checkFile(of: url)
        try location.createFolder()
        try indexed.write(to: target, of: file, stamp: stamp)
        return target
    }
}

extension HARArchive {
    /// Whether opening an archive uses an index that is kept in a file, which spares the pass over the archive.
    public struct IndexUse: Sendable, Hashable {
        /// Where the index is kept; `nil` where none is used.
        let location: IndexLocation?

        /// Whether it is written where it cannot be used.
        let isWritten: Bool

        /// No index is used, and none is written.
        public static let never = Self(location: nil, isWritten: false)

        /// An index that is there is used; none is written.
        ///
        /// - Parameter location: Where it is kept; among the user's caches by default.
        /// - Returns: The setting.
        public static func use(in location: IndexLocation = .userCache) -> Self {
            Self(location: location, isWritten: false)
        }

        /// An index that is there is used, and one is written where there is none that could be.
        ///
        /// That it cannot be written is no error. It holds the URLs of the archive; only its owner can read it.
        ///
        /// - Parameter location: Where it is kept; among the user's caches by default.
        /// - Returns: The setting.
        public static func keep(in location: IndexLocation = .userCache) -> Self {
            Self(location: location, isWritten: true)
        }
    }
}

extension HARArchive {
    /// Where the index of an archive is kept.
    public struct IndexLocation: Sendable, Hashable {
        private enum Kind: Hashable {
            case userCache
            case folder(URL)
            case file(URL)
        }

        private let kind: Kind

        /// The folder `relay` among the user's caches: `$XDG_CACHE_HOME` or `~/.cache` on Linux.
        public static let userCache = Self(kind: .userCache)

        /// A folder for the indices of many archives, which is created if need be.
        public static func folder(_ url: URL) -> Self { Self(kind: .folder(url)) }

        /// A file for the index of one archive.
        public static func file(_ url: URL) -> Self { Self(kind: .file(url)) }

        /// The file that the index of an archive is in, or would be.
        ///
        /// In a folder, its name is the archive's with a hash of the archive's path, in which symbolic links are resolved.
        ///
        /// - Parameter archive: The archive.
        /// - Returns: The file.
        public func file(of archive: URL) -> URL {
            if case .file(let url) = kind { return url }
            let path = archive.resolvingSymlinksInPath().standardizedFileURL.path
            var hash = ContentHash()
            Array(path.utf8).withUnsafeBytes { hash.add($0) }
            let digits = String(hash.value, radix: 16)
            let number = String(repeating: "0", count: 16 - digits.count) + digits
            // A name may have 255 bytes; the archive's is there for people only.
            var name = URL(fileURLWithPath: path).lastPathComponent
            while name.utf8.count > 200 { name.removeLast() }
            return folder.appendingPathComponent("\(name)-\(number).harindex")
        }

        /// Makes sure that a file may be replaced by an index, or deleted as one.
        ///
        /// - Parameters:
        ///   - archive: The archive.
        ///   - isNamedByUser: Whether a file may hold something else because a user typed its name; false by default. A
        ///     name in a folder for indices is always that of an index.
        /// - Returns: Whether there is such a file.
        /// - Throws: `unwritableFile` for the archive itself, for anything but a regular file, and, if the user named it, for
        ///   a file that is not an index.
        @discardableResult
        package func checkFile(of archive: URL, isNamedByUser: Bool = false) throws(HARError) -> Bool {
            let target = file(of: archive)
            guard let identity = FileIdentity(of: target.path) else { return false }
            var isIndex = identity.isRegular && identity != FileIdentity(of: archive.path)
            if case .file = kind, isNamedByUser { isIndex = isIndex && IndexHeader.begins(target) }
            guard isIndex else {
                throw HARError(
                    .unwritableFile,
                    "The file is not an index of an archive, and is left as it is; name another file for the index.",
                    at: .init(file: target.path))
            }
            return true
        }

        private var folder: URL {
            switch kind {
            case .folder(let url): return url
            case .userCache, .file:
                let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
                let home = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".cache")
                return (caches ?? home).appendingPathComponent("relay")
            }
        }

        /// Creates the folder for the user alone, where there is none.
        func createFolder() throws(HARError) {
            if case .file = kind { return }
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw HARError(
                    .unwritableFile, "The folder cannot be created. \(error.localizedDescription)",
                    at: .init(file: folder.path), underlying: error)
            }
        }
    }
}
