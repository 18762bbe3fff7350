public import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Turntable {
    /// Creates a turntable that plays `vinyl`, or a vinyl that is loaded later.
    public convenience init(
        vinyl: Vinyl? = nil, turntableConfiguration: TurntableConfiguration = .init(),
        delegateQueue: OperationQueue? = nil, urlSession: URLSession? = nil
    ) {
        self.init(configuration: turntableConfiguration, delegateQueue: delegateQueue, urlSession: urlSession)
        if let vinyl { load(vinyl: vinyl) }
    }

    /// Creates a turntable that plays a vinyl from a bundle; see ``load(vinyl:bundle:)``.
    public convenience init(
        vinylName: String, bundle: Bundle? = nil, turntableConfiguration: TurntableConfiguration = .init(),
        delegateQueue: OperationQueue? = nil, urlSession: URLSession? = nil, errorHandler: (any ErrorHandler)? = nil
    ) {
        self.init(configuration: turntableConfiguration, delegateQueue: delegateQueue, urlSession: urlSession)
        self.errorHandler = errorHandler
        load(vinyl: vinylName, bundle: bundle)
    }

    /// Creates a turntable that plays a DVR cassette from a bundle.
    public convenience init(
        cassetteName: String, bundle: Bundle? = nil, turntableConfiguration: TurntableConfiguration = .init(),
        delegateQueue: OperationQueue? = nil, urlSession: URLSession? = nil
    ) {
        self.init(configuration: turntableConfiguration, delegateQueue: delegateQueue, urlSession: urlSession)
        load(cassette: cassetteName, bundle: bundle)
    }

    /// Saves the current recording and starts playing `vinyl`.
    public func load(vinyl: Vinyl) {
        finishRecording()
        guard case .missingTracks(let path?) = settings.recordingMode else { return play(vinyl, called: "vinyl") }
        play(vinyl, called: "vinyl", recordingInto: URL(fileURLWithPath: path))
    }

    /// Saves the current recording and starts playing a vinyl from a bundle.
    ///
    /// The file is `NAME.har` or `NAME.json` and contains an archive, a vinyl or a DVR cassette. The format is detected
    /// from the content. If the recording mode has a path and the bundle does not contain the vinyl, the vinyl at that
    /// path is used. In the mode `missingTracks`, the vinyl at the path takes precedence over a vinyl in the bundle.
    /// Without a bundle, the turntable searches the first bundle whose path ends in `.xctest`, or, if the tests run as
    /// a program, the program's folder and the resource bundles inside it.
    public func load(vinyl vinylName: String, bundle: Bundle? = nil) {
        finishRecording()
        do throws(HARError) {
            let place = try VinylPlace(of: vinylName, in: bundle, for: settings.recordingMode)
            let vinyl = try place.source.map { source throws(HARError) in try Vinyl(contentsOf: source) }
            play(
                vinyl ?? Vinyl(tracks: []), called: (place.source ?? place.target)?.path ?? vinylName,
                recordingInto: place.target, isThere: vinyl?.folder != nil && place.source == place.target)
        } catch {
            play(Vinyl(tracks: []), called: vinylName)
            reports.failure(error)
        }
    }

    /// Starts playing a vinyl from a bundle; equivalent to ``load(vinyl:bundle:)``.
    public func loadVinyl(_ vinylName: String, bundle: Bundle? = nil) { load(vinyl: vinylName, bundle: bundle) }

    /// Starts playing a DVR cassette as a vinyl.
    ///
    /// Matching tracks are played in order.
    public func load(cassette name: String, bundle: Bundle? = nil) { load(vinyl: name, bundle: bundle) }

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
            configuration.adapterSettings.sourceHandler = { [tasks] task, source in
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

/// The files that a vinyl is read from and recorded into.
struct VinylPlace {
    /// The file to read, or `nil` if it does not exist.
    let source: URL?

    /// The file to record into, or `nil` if the vinyl is not recorded.
    let target: URL?

    /// Finds a vinyl by its name without an extension.
    ///
    /// If `bundle` is `nil`, the resources of the test bundle are searched.
    init(of name: String, in bundle: Bundle?, for mode: RecordingMode) throws(HARError) {
        let files = TestResources.folders(in: bundle).flatMap { folder in
            ["har", "json"].map { folder.appendingPathComponent("\(name).\($0)") }
        }
        let found = files.first(where: Self.exists)
        switch mode {
        case .none:
            (source, target) = (found, nil)
        case .missingVinyl(let path):
            let file = path.map { URL(fileURLWithPath: $0) } ?? files[0]
            source = found ?? (Self.exists(file) ? file : nil)
            target = source == nil ? file : nil
        case .missingTracks(let path):
            let beside = found?.deletingPathExtension().appendingPathExtension("har")
            let file = path.map { URL(fileURLWithPath: $0) } ?? beside ?? files[0]
            source = Self.exists(file) ? file : found
            target = file
        }
        guard source == nil, target == nil else { return }
        throw HARError(
            .unreadableFile,
            "The vinyl '\(name).har' or '\(name).json' does not exist. Pass the bundle that contains it, or set a recording mode."
        )
    }

    private static func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
}
