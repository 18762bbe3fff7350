public import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Turntable {
    /// Makes a turntable that plays a vinyl, or one that is loaded later.
    public convenience init(
        vinyl: Vinyl? = nil, turntableConfiguration: TurntableConfiguration = .init(),
        delegateQueue: OperationQueue? = nil, urlSession: URLSession? = nil
    ) {
        self.init(configuration: turntableConfiguration, delegateQueue: delegateQueue, urlSession: urlSession)
        if let vinyl { load(vinyl: vinyl) }
    }

    /// Makes a turntable that plays a vinyl of a bundle; see ``load(vinyl:bundle:)``.
    public convenience init(
        vinylName: String, bundle: Bundle? = nil, turntableConfiguration: TurntableConfiguration = .init(),
        delegateQueue: OperationQueue? = nil, urlSession: URLSession? = nil, errorHandler: (any ErrorHandler)? = nil
    ) {
        self.init(configuration: turntableConfiguration, delegateQueue: delegateQueue, urlSession: urlSession)
        self.errorHandler = errorHandler
        load(vinyl: vinylName, bundle: bundle)
    }

    /// Makes a turntable that plays a cassette of DVR in a bundle.
    public convenience init(
        cassetteName: String, bundle: Bundle? = nil, turntableConfiguration: TurntableConfiguration = .init(),
        delegateQueue: OperationQueue? = nil, urlSession: URLSession? = nil
    ) {
        self.init(configuration: turntableConfiguration, delegateQueue: delegateQueue, urlSession: urlSession)
        load(cassette: cassetteName, bundle: bundle)
    }

    /// Plays a vinyl from now on; what was recorded until then is saved.
    public func load(vinyl: Vinyl) {
        finishRecording()
        guard case .missingTracks(let path?) = settings.recordingMode else { return play(vinyl, called: "vinyl") }
        play(vinyl, called: "vinyl", recordingInto: URL(fileURLWithPath: path))
    }

    /// Plays a vinyl of a bundle from now on; what was recorded until then is saved.
    ///
    /// The file is `NAME.har` or `NAME.json`, and may be an archive, a vinyl or a cassette of DVR, which its content tells.
    /// One that was recorded at a path of the recording mode is played from there: where the bundle has none, or, where
    /// missing tracks are recorded, in any case. Without a bundle, the first is searched whose path ends in `.xctest`, or,
    /// where tests are a program, the folder of that, and the bundles of resources inside.
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

    /// Plays a vinyl of a bundle from now on, as ``load(vinyl:bundle:)`` does.
    public func loadVinyl(_ vinylName: String, bundle: Bundle? = nil) { load(vinyl: vinylName, bundle: bundle) }

    /// Plays a cassette of DVR from now on as a vinyl, the first track that matches first.
    public func load(cassette name: String, bundle: Bundle? = nil) { load(vinyl: name, bundle: bundle) }
}
