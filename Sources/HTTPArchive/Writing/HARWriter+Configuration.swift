extension HARWriter {
    /// The settings of a writer.
    public struct Configuration: Sendable, Hashable {
        /// The layout of the text; by default, unchanged values keep their source text.
        public var layout = JSONLayout.unchanged

        /// The policy for writing appended entries; by default, each entry is written immediately.
        public var flushing = Flushing.eachEntry

        /// Whether only the owner can read a new file; false by default, so that the umask applies.
        ///
        /// Archives that are not redacted contain cookies and tokens.
        public var isPrivate = false

        /// The limits for reading an archive to which entries are appended; default limits if omitted.
        public var reader = HARReader.Configuration()

        /// Whether an existing file is replaced rather than reported as an error; true by default.
        package var replacesFile = true

        /// Creates the default settings.
        public init() {}
    }

    /// A policy that determines when entries appended to an archive are written.
    ///
    /// Intervals apply only when appending to an archive. A new archive appears at its path only when it is complete.
    /// With ``eachEntryOnDisk``, it is also flushed to the disk.
    public struct Flushing: Sendable, Hashable {
        /// The interval between writes, or nil for no time limit.
        ///
        /// An append writes all buffered entries if at least this much time has passed since the last write.
        let interval: Duration?

        /// Whether writes are flushed to the disk.
        let isSynchronized: Bool

        /// Each entry is written immediately.
        ///
        /// Entries survive the end of the process, even if it is killed, but may be lost in a power failure.
        public static let eachEntry = Self(interval: .zero, isSynchronized: false)

        /// Each entry is written to the disk before the call returns (`fsync`; `F_FULLFSYNC` on Apple platforms).
        ///
        /// Entries survive a system crash or a power failure, provided that the disk honors the request.
        public static let eachEntryOnDisk = Self(interval: .zero, isSynchronized: true)

        /// Returns a policy that writes buffered entries on the first append after an interval since the last write.
        ///
        /// Buffered entries are also written when they exceed 1 MiB, when ``HARWriter/finish()`` is called, and when
        /// the writer is deallocated. A killed process loses its buffered entries.
        ///
        /// - Parameter interval: The minimum interval. There is no timer: entries stay buffered until the next append.
        /// - Returns: The policy.
        public static func interval(_ interval: Duration) -> Self { Self(interval: interval, isSynchronized: false) }

        /// Entries are buffered.
        ///
        /// Buffered entries are written when they exceed 1 MiB, when ``HARWriter/finish()`` is called, and when the
        /// writer is deallocated. A killed process loses its buffered entries.
        public static let atEnd = Self(interval: nil, isSynchronized: false)

        /// Like ``atEnd``, but written entries are also flushed to the disk, so that their source can be deleted after
        /// ``HARWriter/finish()``.
        package static let atEndOnDisk = Self(interval: nil, isSynchronized: true)
    }
}
