extension HARWriter {
    /// Settings of a writer.
    public struct Configuration: Sendable, Hashable {
        /// How the text is laid out; by default, what was read keeps its text.
        public var layout = JSONLayout.unchanged

        /// When entries that are appended to an archive are written; each at once by default.
        public var flushing = Flushing.eachEntry

        /// Whether only the owner can read a file that is created; false by default, which leaves that to the umask.
        ///
        /// Archives that are not redacted hold cookies and tokens.
        public var isPrivate = false

        /// Whether a file that exists is replaced, rather than an error; true by default.
        package var replacesFile = true

        /// Creates the default settings.
        public init() {}
    }
}

extension HARWriter {
    /// When the entries that are appended to an archive are written.
    ///
    /// Intervals apply to a file that is appended to. A new file appears when it is complete; with ``eachEntryOnDisk``
    /// it is on the disk then.
    public struct Flushing: Sendable, Hashable {
        /// For how long entries are collected; `nil` for no limit.
        let interval: Duration?

        /// Whether what is written has to reach the disk.
        let isSynchronized: Bool

        /// Each entry is given to the system at once.
        ///
        /// It survives the process, however that ends, and not a loss of power.
        public static let eachEntry = Self(interval: .zero, isSynchronized: false)

        /// Each entry is on the disk before it counts as appended (`fsync`; `F_FULLFSYNC` on Apple's systems).
        ///
        /// It survives the machine, as far as the disk keeps what it says.
        public static let eachEntryOnDisk = Self(interval: .zero, isSynchronized: true)

        /// Entries are collected, and written by the first that comes so long after the last writing.
        ///
        /// What is collected is written too when it is more than a mebibyte, by ``HARWriter/finish()``, and when the writer is
        /// gone. A process that is killed loses what it has collected.
        ///
        /// - Parameter interval: For how long; there is no timer.
        /// - Returns: The setting.
        public static func interval(_ interval: Duration) -> Self { Self(interval: interval, isSynchronized: false) }

        /// Entries are collected, and written when they are more than a mebibyte, by ``HARWriter/finish()``, and when the
        /// writer is gone.
        ///
        /// A process that is killed loses what it has collected.
        public static let atEnd = Self(interval: nil, isSynchronized: false)

        /// As ``atEnd``, and entries are on the disk when ``HARWriter/finish()`` returns, so that their source can be
        /// deleted.
        package static let atEndOnDisk = Self(interval: nil, isSynchronized: true)
    }
}
