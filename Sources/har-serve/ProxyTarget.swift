#if Server
    import ArgumentParser
    import Foundation
    import HTTPArchive
    import RelayCore

    /// The requests that a proxy replays and records.
    enum ProxyMode: String, ExpressibleByArgument, CaseIterable {
        case once, new, all, never
    }

    /// The archive that a proxy writes, and the file in which it records.
    struct ProxyTarget {
        /// The archive.
        private let archive: URL

        /// The file in which exchanges are recorded: the archive, or a file next to it that replaces it at the end.
        let recording: URL

        /// Whether exchanges are recorded.
        let records: Bool

        /// The archive if it is replayed.
        let replayed: [URL]

        /// Prepares a recording.
        ///
        /// - Parameters:
        ///   - path: The path of the archive.
        ///   - mode: The mode, or nil to append all exchanges.
        /// - Throws: `invalidSetting` if the file of an interrupted recording would be replaced; the errors of reading the
        ///   archive.
        init(_ path: String, mode: ProxyMode?) throws {
            archive = URL(fileURLWithPath: path)
            let exists = FileManager.default.fileExists(atPath: archive.path)
            replayed = exists && mode != nil && mode != .all ? [archive] : []
            records = try mode != .never && !(mode == .once && exists && HARArchive(contentsOf: archive).count > 0)
            guard mode == .all, exists else {
                recording = archive
                return
            }
            let name = archive.deletingPathExtension().lastPathComponent
            recording = archive.deletingLastPathComponent().appendingPathComponent("\(name).recording.har")
            guard !FileManager.default.fileExists(atPath: recording.path) else {
                throw RelayError(
                    .invalidSetting,
                    """
                    \(MessageText.printable(recording.path)) is the file of an interrupted recording. Move or delete it.
                    """)
            }
        }

        /// Replaces the archive if everything was recorded again.
        ///
        /// - Parameter report: The report of the recording.
        /// - Throws: `unwritableFile` if the archive cannot be replaced.
        func finish(_ report: RecordingReport?) throws {
            guard recording != archive else { return }
            guard let report, report.recordedCount > 0 else {
                _ = FileSystemCalls.current.remove(recording.path)
                let name = MessageText.printable(archive.path)
                return ServeOutput.warn("nothing was recorded, so \(name) was not replaced")
            }
            guard report.failures.isEmpty else { return }
            guard FileSystemCalls.current.rename(recording.path, archive.path) == 0 else {
                throw HARError(
                    .unwritableFile,
                    "The archive cannot be replaced. The recording is in \(recording.lastPathComponent).",
                    at: .init(file: archive.path))
            }
        }
    }
#endif
