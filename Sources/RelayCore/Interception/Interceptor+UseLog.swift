import Foundation
import HTTPArchive
import Logging

extension Interceptor {
    /// Appends the use of the archives to the log, if there is one.
    ///
    /// Failing to write the log does not fail a test. It is reported only to the logger of the interceptor.
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
    /// Returns the use of each archive that is a file.
    func useLines(at date: Date) -> [UseLog.Line] { players.compactMap { $0.useLine(at: date) } }
}

extension ArchivePlayer {
    /// Returns the use of the archive, or nil if it is not a file.
    fileprivate func useLine(at date: Date) -> UseLog.Line? {
        guard let archive = entries.archive, let stamp = archive.fingerprint else { return nil }
        return UseLog.Line(
            archive: archive.url.absoluteURL.path, entryCount: entries.count, used: used, stamp: stamp, date: date)
    }
}
