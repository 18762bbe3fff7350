import Foundation
import HTTPArchive
import Logging

extension Interceptor {
    /// Notes what was used of the archives, if a log is kept of that.
    ///
    /// A log that cannot be written is no failure of a test: it is said where the interceptor logs, and nowhere else.
    ///
    /// - Parameter log: The log; that of the process by default.
    func noteUse(in log: UseLog? = .ofProcess) {
        guard let log else { return }
        do {
            try log.append(archives.useLines(at: Date()))
        } catch {
            configuration.logger?.warning("\(error)", metadata: ["interceptor": .string(name)])
        }
    }
}

extension ArchiveLayers {
    /// What was used of the archives that are files.
    func useLines(at date: Date) -> [UseLog.Line] { players.compactMap { $0.useLine(at: date) } }
}

extension ArchivePlayer {
    /// What was used of the archive; `nil` where it is no file.
    fileprivate func useLine(at date: Date) -> UseLog.Line? {
        guard let archive = entries.archive, let stamp = archive.fingerprint else { return nil }
        return UseLog.Line(
            archive: archive.url.absoluteURL.path, entryCount: entries.count, used: used, stamp: stamp, date: date)
    }
}
