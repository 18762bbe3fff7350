package import Foundation

/// What was done to make an archive whole again.
package struct HARRepair: Sendable, Hashable {
    /// The number of entries that the archive has.
    package let entryCount: Int

    /// How many bytes at the end of the file, or before what stands behind the entries, were of no whole entry; `nil` when
    /// the file was whole, and is as it was.
    package let removedByteCount: Int?

    /// Mends an archive whose writing was broken off, in its place.
    ///
    /// - Parameters:
    ///   - url: The file; nobody may be appending to it.
    ///   - configuration: The settings of the reader; the default ones unless given.
    /// - Throws: `fileInUse`; `unwritableFile`; `malformedJSON` when more is wrong, such as broken JSON before the end,
    ///   `notAnArchive`, `limitExceeded` or `unreadableFile`: the file is as it was then.
    /// - Complexity: O(*n*) in the size of the file.
    package init(
        of url: URL, configuration: HARReader.Configuration = HARReader.Configuration()
    ) throws(HARError) {
        let (index, count) = try LockedFile(url: url, creates: false).mend(configuration)
        entryCount = index.table.count
        removedByteCount = count
    }
}
