import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Turntable {
    /// The recording interceptor, its file, and the entries to write before the recorded entries.
    ///
    /// The entries are `nil` if the file already contains them.
    typealias Recording = (interceptor: Interceptor, target: URL, before: [HAR.Entry]?)

    /// Whether requests may be sent to the network.
    var isRecording: Bool { recording.withLock { $0 != nil } }

    /// Stops recording and saves the recorded tracks.
    ///
    /// The turntable then plays these tracks.
    ///
    /// The file is created even if nothing was recorded. A turntable also saves its recording when it is deallocated.
    public func stopRecording() {
        guard let file = finishRecording() else { return }
        do throws(HARError) {
            play(try Vinyl(contentsOf: file), called: file.path)
        } catch {
            reports.failure(error)
        }
    }

    /// Starts playing a vinyl, and records requests without a track into `target`.
    ///
    /// If `isThere` is `true`, the target already contains the tracks of the vinyl.
    func play(_ vinyl: Vinyl, called name: String, recordingInto target: URL? = nil, isThere: Bool = false) {
        var configuration = reports.configuration
        configuration.matching = settings.matchingStrategy.matching
        if let output = settings.debugOutput { configuration.matchHandler = { output($0.description) } }
        configuration.networkSession = urlSession ?? .shared
        let withoutBody = vinyl.withoutBody
        if !withoutBody.isEmpty {
            configuration.sourceHandler = { [tasks] task, source in
                guard case .archive(_, let entry) = source, withoutBody.contains(entry) else { return }
                tasks.noteMissingBody(of: task)
            }
        }
        let (entries, failures) = (vinyl.entries, vinyl.failures)
        let player = Interceptor(
            entries: entries, name: name, folder: vinyl.folder, failures: failures, recordingInto: target,
            configuration: configuration)
        let before = isThere ? nil : entries
        recording.withLock { $0 = target.map { (player, $0, before) } }
        seat.replace(with: player)
    }

    /// Saves the recording and returns its file, or `nil` if nothing is being recorded.
    @discardableResult
    func finishRecording() -> URL? {
        guard let recording = recording.withLock({ $0.take() }) else { return nil }
        for failure in recording.interceptor.finishRecordingAndWait(after: recording.before) {
            reports.failure(failure)
        }
        return recording.target
    }
}
