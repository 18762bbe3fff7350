public import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A session that plays vinyls, and may record them.
///
/// What is not `Sendable` in it never changes.
public final class Turntable: URLSession, @unchecked Sendable {
    /// Is given the body, the response, or the error that a request ends with.
    public typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    let settings: TurntableConfiguration
    let reports: ErrorReports

    /// Where the network is asked.
    let urlSession: URLSession?

    /// What the requests of the session come to; whatever plays the current vinyl takes its place.
    let seat: Interceptor

    /// What is recorded now.
    let recording = Mutex<Recording?>(nil)

    /// The session that loads: `URLSession` makes none of its subclasses on all platforms.
    private let loader: URLSession

    private let playingConfiguration: URLSessionConfiguration
    private let recordingConfiguration: URLSessionConfiguration

    /// Makes a turntable without a vinyl; completion handlers are called on a serial queue of its own unless one is given,
    /// and what is recorded comes from `URLSession.shared` unless another session is given.
    public init(
        configuration settings: TurntableConfiguration, delegateQueue: OperationQueue? = nil,
        urlSession: URLSession? = nil
    ) {
        self.settings = settings
        self.urlSession = urlSession
        reports = ErrorReports(playingUniquely: settings.matchingStrategy.playsTracksUniquely)
        seat = Interceptor(name: "Turntable", configuration: reports.configuration)
        playingConfiguration = seat.configuration(like: .default)
        // Played cookies are found in the configuration, and by no other session.
        playingConfiguration.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
        recordingConfiguration = seat.configuration(like: urlSession?.configuration ?? .default)
        let queue = delegateQueue ?? OperationQueue()
        if delegateQueue == nil { queue.maxConcurrentOperationCount = 1 }
        loader = URLSession(configuration: playingConfiguration, delegate: nil, delegateQueue: queue)
        #if canImport(FoundationNetworking)
            // Awaited calls come by methods that cannot be overridden.
            super.init(configuration: playingConfiguration, delegate: nil, delegateQueue: queue)
        #else
            super.init()
        #endif
    }

    deinit {
        finishRecording()
        loader.finishTasksAndInvalidate()
    }

    /// Is told of what cannot be played; without one, the test fails, and the request gets an error.
    ///
    /// With one, the completion handler of a request that no track answers is not called; awaited calls throw the error.
    public var errorHandler: (any ErrorHandler)? {
        get { reports.handler }
        set { reports.handler = newValue }
    }

    /// Why each track of the vinyl matches a request or does not, without secrets; nothing is played.
    public func explain(_ request: Request) -> String {
        seat.explanation(of: InterceptedRequest(request, body: request.httpBody)).description
    }

    // MARK: - URLSession

    /// The settings of the session that is asked for the network while something is recorded, else the default ones.
    override public var configuration: URLSessionConfiguration {
        isRecording ? recordingConfiguration : playingConfiguration
    }

    /// The delegate of the session that is asked for the network while something is recorded, else `nil`.
    override public var delegate: (any URLSessionDelegate)? { isRecording ? urlSession?.delegate : nil }

    /// The queue on which completion handlers are called.
    override public var delegateQueue: OperationQueue { loader.delegateQueue }

    /// Makes a task that plays the track of a URL.
    override public func dataTask(with url: URL, completionHandler: @escaping Completion) -> URLSessionDataTask {
        loader.dataTask(with: url, completionHandler: telling(completionHandler))
    }

    /// Makes a task that plays the track of a request.
    override public func dataTask(
        with request: URLRequest, completionHandler: @escaping Completion
    ) -> URLSessionDataTask {
        loader.dataTask(with: request, completionHandler: telling(completionHandler))
    }

    /// Makes a task that plays the track of a request with a body.
    override public func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping Completion
    ) -> URLSessionUploadTask {
        loader.uploadTask(with: request, from: bodyData, completionHandler: telling(completionHandler))
    }

    /// Tells a completion handler nothing of what only the error handler is told, and all of a track.
    private func telling(_ completion: @escaping Completion) -> Completion {
        { [self] body, response, error in
            if let failure = error as? TrackFailure {
                completion(failure.body, failure.response, failure.underlying)
            } else if errorHandler == nil || (error as? HARError)?.code != .noMatchingEntry {
                completion(body, response, error)
            }
        }
    }
}
