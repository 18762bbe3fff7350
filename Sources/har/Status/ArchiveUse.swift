import Foundation

/// What a log tells of the use of an archive.
struct ArchiveUse {
    /// When it was used last, in whatever version.
    var last: Date

    /// The entries that were used of the archive as it is now; `nil` when only other versions of it were used.
    var used: IndexSet?
}
