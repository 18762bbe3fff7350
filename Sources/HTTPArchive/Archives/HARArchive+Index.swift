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
    /// - Parameter place: Where to; among the user's caches by default.
    /// - Returns: The file.
    /// - Throws: `malformedJSON` for a broken entry; `unwritableFile`, also where the place is the archive itself;
    ///   ``damage``; `unreadableFile` when the archive is no file, was changed since it was opened, or less than two seconds
    ///   before that, for its time would not tell the next change.
    /// - Complexity: O(*n*) in the size of the archive.
    @discardableResult
    public func writeIndex(to place: IndexPlace = .userCache) throws(HARError) -> URL {
        try validate()
        return try keepIndex(in: place)
    }

    /// Writes the index without validating the entries: they are validated when they are read.
    func keepIndex(in place: IndexPlace) throws(HARError) -> URL {
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
        let target = place.file(of: url)
        try place.checkFile(of: url)
        try place.createFolder()
        try indexed.write(to: target, of: file, stamp: stamp)
        return target
    }
}
