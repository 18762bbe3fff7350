extension HARWriter {
    /// The settings of a writer.
    public struct Configuration: Sendable, Hashable {
        /// The layout of the text; by default, unchanged values keep their source text.
        public var layout = JSONLayout.unchanged

        /// The time when entries appended to an archive are written; immediately by default.
        public var flushing = Flushing.eachEntry

        /// Whether only the owner can read a new file; false by default, so that the umask applies.
        ///
        /// Archives that are not redacted contain cookies and tokens.
        public var isPrivate = false

        /// Whether an existing file is replaced instead of causing an error; true by default.
        package var replacesFile = true

        /// Creates the default settings.
        public init() {}
    }
}

extension HARWriter {
    /// The time when entries appended to an archive are written.
    ///
    /// Intervals apply only when appending to an archive. A new file appears only when it is complete. With
    /// ``eachEntryOnDisk``, it has also reached the disk by then.
    public struct Flushing: Sendable, Hashable {
        /// The maximum time for which entries are buffered, or nil if it is unlimited.
        let interval: Duration?

        /// Whether writes must reach the disk.
        let isSynchronized: Bool

        /// Each entry is written immediately.
        ///
        /// Entries survive if the process ends or is killed, but not if the power fails.
        public static let eachEntry = Self(interval: .zero, isSynchronized: false)

        /// Each entry is written to the disk before the call returns (`fsync`; `F_FULLFSYNC` on Apple platforms).
        ///
        /// Entries survive a system crash or a power failure, provided that the disk honors the request.
        public static let eachEntryOnDisk = Self(interval: .zero, isSynchronized: true)

        /// Returns a setting that writes buffered entries with the first append after an interval since the last write.
        ///
        /// Buffered entries are also written when they exceed 1 MiB, when ``HARWriter/finish()`` is called, and when
        /// the writer is deallocated. A killed process loses its buffered entries.
        ///
        /// - Parameter interval: The minimum interval. There is no timer, so entries stay buffered until an append.
        /// - Returns: The setting.
        public static func interval(_ interval: Duration) -> Self { Self(interval: interval, isSynchronized: false) }

        /// Entries are buffered until they exceed 1 MiB, or until the end.
        ///
        /// They are written when they exceed this size, when ``HARWriter/finish()`` is called, and when the writer is
        /// deallocated. A killed process loses its buffered entries.
        public static let atEnd = Self(interval: nil, isSynchronized: false)

        /// Like ``atEnd``, but entries have reached the disk when ``HARWriter/finish()`` returns, so that their source
        /// can be deleted.
        package static let atEndOnDisk = Self(interval: nil, isSynchronized: true)
    }
}
