public import HTTPArchive

extension Interceptor {
    /// The settings of an interceptor.
    public struct Configuration: Sendable {
        /// The handling of requests that match no entry.
        public enum UnmatchedRequests: Sendable, Hashable {
            /// Fails immediately with an error that lists the most similar entries.
            case fail

            /// Sends the request to the network.
            case passThrough
        }

        /// The handling of requests that match no entry; ``UnmatchedRequests/fail`` by default.
        public var unmatchedRequests = UnmatchedRequests.fail

        /// The handler for misses, called with the request and its error; nil by default.
        ///
        /// The request fails when the handler returns or exceeds ``timeLimit``. The handler runs with the task-local
        /// values of the code that created the interceptor, so that test issues recorded by the handler belong to the
        /// right test.
        public var missHandler: (@Sendable (InterceptedRequest, RelayError) async -> Void)?

        /// The advice in messages about misses; none by default.
        package var missAdvice = MissAdvice()

        /// The handler for match explanations, called for each request before the archives are searched; nil by
        /// default.
        ///
        /// An explanation states for each entry why it matches or does not match. All entries are read for each
        /// explanation, so set a handler only to debug unexpected responses.
        public var matchHandler: (@Sendable (MatchExplanation) -> Void)?

        /// A value that an adapter stores with the settings, such as the session for live requests; nil by default.
        package var adapterValue: (any Sendable)?

        /// Whether to deliver an empty body if the archive does not contain the body of a response.
        ///
        /// By default, this is `false` and the request fails.
        public var deliversMissingBodiesAsEmpty = false

        /// The dates in recorded responses that are moved by the time since the recording; the dates of cookies by
        /// default.
        public var movedDates = MovedDates.cookies

        /// The rules for selecting entries.
        ///
        /// By default, the method and URL must match, and the body selects among several matches.
        public var matching = RequestMatching.standard

        /// The time limit for each closure that produces or changes a response; 15 seconds by default.
        public var timeLimit = Duration.seconds(15)

        /// The clock for delays and time limits; `ContinuousClock` by default.
        ///
        /// Tests can use another clock.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The log of exchanges, or nil (the default) for no logging.
        ///
        /// Exchanges are logged at level `debug`, misses at `warning`, and `curl` commands at `trace`. The module
        /// RelayLogging adds the property `logger` for swift-log.
        public var log: (any InterceptorLog)?

        /// The settings for recording.
        public var recording = RecordingConfiguration()

        /// The limits for reading the archive.
        public var reader = HARReader.Configuration()

        /// The policy for using archive index files; `never` by default.
        public var index = HARArchive.IndexUse.never

        /// Creates the default settings.
        public init() {}
    }
}
