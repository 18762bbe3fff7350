import Foundation
import HTTPArchive
import Logging

extension Interceptor {
    /// Logs which entries of the archives were used, if a log is set.
    ///
    /// A failure to write the log does not fail a test, and is reported only to the logger of the interceptor.
    ///
    /// - Parameter log: The log; the log of the process by default.
    func noteUse(in log: UseLog? = .ofProcess) {
        guard let log else { return }
        do {
            try log.append(archives.useLines(at: Date()))
        } catch {
            warn("\(error)")
        }
    }
}

extension ArchiveLayers {
    /// Returns the log line of each archive that is a file.
    func useLines(at date: Date) -> [UseLog.Line] { players.compactMap { $0.useLine(at: date) } }
}

extension ArchivePlayer {
    /// Returns the log line of the archive, or nil if the archive is not a file.
    fileprivate func useLine(at date: Date) -> UseLog.Line? {
        guard let archive = entries.archive, let stamp = archive.fingerprint else { return nil }
        return UseLog.Line(
            archive: archive.url.absoluteURL.path, entryCount: entries.count, used: used, stamp: stamp, date: date)
    }
}
