public import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A URL session that plays and records vinyls.
///
/// Properties that are not `Sendable` never change after initialization.
public final class Turntable: URLSession, @unchecked Sendable {
    /// A completion handler, which receives the body and the response, or an error.
    public typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    let settings: TurntableConfiguration
    let reports: ErrorReports

    /// The session that sends requests to the network.
    let urlSession: URLSession?

    /// The interceptor for all requests that this turntable handles.
    ///
    /// It forwards them to the interceptor of the current vinyl.
    let seat: Interceptor

    /// The current recording.
    let recording = Mutex<Recording?>(nil)

    /// The session that loads requests.
    ///
    /// A separate session is needed because not every platform can create tasks in a subclass of `URLSession`.
    private let loader: URLSession

    /// The tasks with completion handlers.
    let tasks = PlayedTasks()

    private let playingConfiguration: URLSessionConfiguration
    private let recordingConfiguration: URLSessionConfiguration

    /// The configuration of the session that loads requests.
    ///
    /// It leaves requests unchanged.
    private let loadingConfiguration: URLSessionConfiguration

    /// Creates a turntable without a vinyl.
    ///
    /// By default, completion handlers are called on a serial queue created for this turntable, and recording uses
    /// `URLSession.shared`.
    public init(
        configuration settings: TurntableConfiguration, delegateQueue: OperationQueue? = nil,
        urlSession: URLSession? = nil
    ) {
        self.settings = settings
        self.urlSession = urlSession
        reports = ErrorReports(playingUniquely: settings.matchingStrategy.playsTracksUniquely)
        var configuration = reports.configuration
        configuration.adapterSettings.taskOrder = TaskOrder()
        seat = Interceptor(name: "Turntable", configuration: configuration)
        loadingConfiguration = seat.configuration(like: .default)
        // Cookies of played responses are visible in the configuration, but not to other sessions.
        loadingConfiguration.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
        playingConfiguration = seat.installed(in: .default)
        playingConfiguration.httpCookieStorage = loadingConfiguration.httpCookieStorage
        recordingConfiguration = seat.installed(in: (urlSession ?? .shared).configuration)
        let queue = delegateQueue ?? OperationQueue()
        if delegateQueue == nil { queue.maxConcurrentOperationCount = 1 }
        loader = URLSession(configuration: loadingConfiguration, delegate: nil, delegateQueue: queue)
        #if canImport(FoundationNetworking)
            // Awaited calls use methods that cannot be overridden, so this URLSession must load requests too.
            super.init(configuration: loadingConfiguration, delegate: nil, delegateQueue: queue)
        #else
            super.init()
        #endif
    }

    deinit {
        finishRecording()
        loader.finishTasksAndInvalidate()
    }

    /// The handler for requests and vinyls that cannot be played.
    ///
    /// If this is `nil` or a ``DefaultErrorHandler``, the test and the request fail.
    ///
    /// With any other handler, the completion handler of a request that matches no track is not called. Awaited calls
    /// throw the error in both cases.
    public var errorHandler: (any ErrorHandler)? {
        get { reports.handler }
        set { reports.handler = newValue }
    }

    /// Returns an explanation of why each track of the vinyl does or does not match `request`.
    ///
    /// Secrets are redacted, and no track is played.
    public func explain(_ request: Request) -> String {
        seat.explanation(of: InterceptedRequest(request, body: request.httpBody)).description
    }

    // MARK: - URLSession

    /// The configuration of the network session while recording, otherwise the default configuration.
    override public var configuration: URLSessionConfiguration {
        if URLSession.isLoadingTask { return loadingConfiguration }
        return isRecording ? recordingConfiguration : playingConfiguration
    }

    /// The delegate of the network session while recording, otherwise `nil`.
    override public var delegate: (any URLSessionDelegate)? { isRecording ? urlSession?.delegate : nil }

    /// The queue on which completion handlers are called.
    override public var delegateQueue: OperationQueue { loader.delegateQueue }

    /// Creates a task that plays the track for a URL.
    override public func dataTask(with url: URL, completionHandler: @escaping Completion) -> URLSessionDataTask {
        playing(completionHandler) { loader.dataTask(with: url, completionHandler: $0) }
    }

    /// Creates a task that plays the track for a request.
    override public func dataTask(
        with request: URLRequest, completionHandler: @escaping Completion
    ) -> URLSessionDataTask {
        playing(completionHandler) { loader.dataTask(with: request, completionHandler: $0) }
    }

    /// Creates a task that plays the track for a request with a body.
    override public func uploadTask(
        with request: URLRequest, from bodyData: Data?, completionHandler: @escaping Completion
    ) -> URLSessionUploadTask {
        playing(completionHandler) { loader.uploadTask(with: request, from: bodyData, completionHandler: $0) }
    }

    /// Creates a task with a completion handler.
    ///
    /// The completion handler receives both the response and the error of a track that has both, and no data for a
    /// track without a body. It is not called for errors that only the error handler receives.
    private func playing<Task: URLSessionTask>(
        _ completion: @escaping Completion, in makeTask: (@escaping Completion) -> Task
    ) -> Task {
        let played = PlayedTask(in: tasks)
        let task = makeTask { [self] body, response, error in
            if let failure = error as? TrackFailure {
                completion(failure.body, failure.response, failure.underlying)
            } else if error == nil, played.lacksBody.load(ordering: .acquiring) {
                completion(nil, response, nil)
            } else if reports.customHandler == nil || (error as? RelayError)?.code != .noMatchingEntry {
                completion(body, response, error)
            }
        }
        played.describe(task)
        return task
    }
}

/// The state of a task with a completion handler, which retains this object.
///
/// For a track without a body, the completion handler receives `nil`, which `URLSession` cannot deliver.
final class PlayedTask: Sendable {
    private let tasks: PlayedTasks
    private let key = Mutex<ObjectIdentifier?>(nil)

    /// Whether the task plays a track without a body.
    let lacksBody = Atomic(false)

    init(in tasks: PlayedTasks) { self.tasks = tasks }

    deinit {
        if let key = key.withLock({ $0 }) { tasks.references.withLock { _ = $0.removeValue(forKey: key) } }
    }

    /// Associates this object with a task that has not been resumed yet.
    func describe(_ task: URLSessionTask) {
        let key = ObjectIdentifier(task)
        self.key.withLock { $0 = key }
        tasks.references.withLock { $0[key] = PlayedTasks.Reference(task: self) }
    }
}

/// The tasks of a turntable that have completion handlers.
final class PlayedTasks: Sendable {
    fileprivate struct Reference {
        weak var task: PlayedTask?
    }

    fileprivate let references = Mutex<[ObjectIdentifier: Reference]>([:])

    /// Records that a task plays a track without a body.
    func noteMissingBody(of task: URLSessionTask) {
        let played = references.withLock { $0[ObjectIdentifier(task)]?.task }
        played?.lacksBody.store(true, ordering: .releasing)
    }
}
