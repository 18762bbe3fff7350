import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Turntable {
    /// What records into a file, and what is written there before; `nil` where the file has that already.
    typealias Recording = (interceptor: Interceptor, target: URL, before: [HAR.Entry]?)

    /// Whether requests may go to the network.
    var isRecording: Bool { recording.withLock { $0 != nil } }

    /// Saves what was recorded, and records nothing more: what was recorded is played from then on.
    ///
    /// The file is there afterwards, if there was nothing to record too. A turntable that goes out of use does the same.
    public func stopRecording() {
        guard let file = finishRecording() else { return }
        do throws(HARError) {
            play(try Vinyl(contentsOf: file), called: file.path)
        } catch {
            reports.failure(error)
        }
    }

    /// Plays a vinyl from now on, and records what it does not have into a file, where its tracks are already or not.
    func play(_ vinyl: Vinyl, called name: String, recordingInto target: URL? = nil, isThere: Bool = false) {
        var configuration = reports.configuration
        configuration.matching = settings.matchingStrategy.matching
        if let output = settings.debugOutput { configuration.matchHandler = { output($0.description) } }
        configuration.networkSession = urlSession ?? .shared
        let (entries, failures) = (vinyl.entries, vinyl.failures)
        let player = Interceptor(
            entries: entries, name: name, folder: vinyl.folder, failures: failures, recordingInto: target,
            configuration: configuration)
        let before = isThere ? nil : entries
        recording.withLock { $0 = target.map { (player, $0, before) } }
        seat.replace(with: player)
    }

    /// Saves what was recorded; gives the file, where something is being recorded.
    @discardableResult
    func finishRecording() -> URL? {
        guard let recording = recording.withLock({ $0.take() }) else { return nil }
        for failure in recording.interceptor.finishRecordingAndWait(after: recording.before) {
            reports.failure(failure)
        }
        return recording.target
    }
}
