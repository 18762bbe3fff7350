import Foundation
import HTTPArchive
import Logging

extension Interceptor {
    /// Logs the entries that were used, if a log is set.
    ///
    /// If the log cannot be written, the logger of the interceptor receives a warning. The test does not fail.
    ///
    /// - Parameter log: The log; by default, the log set by the environment of the process.
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
    /// Returns a log line for each archive that is a file.
    func useLines(at date: Date) -> [UseLog.Line] { players.compactMap { $0.useLine(at: date) } }
}

extension ArchivePlayer {
    /// Returns a log line for the archive, or nil if the archive is not a file.
    fileprivate func useLine(at date: Date) -> UseLog.Line? {
        guard let archive = entries.archive, let stamp = archive.fingerprint else { return nil }
        return UseLog.Line(
            archive: archive.url.absoluteURL.path, entryCount: entries.count, used: used, stamp: stamp, date: date)
    }
}
