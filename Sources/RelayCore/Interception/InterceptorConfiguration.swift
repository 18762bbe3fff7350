import Foundation
public import HTTPArchive
public import Logging

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

        /// The handler for requests without a match, called with the error of the request; nil by default.
        ///
        /// The request fails when the handler returns or exceeds ``timeLimit``. The handler runs with the task-local
        /// values from the creation of the interceptor, so the issues that it records belong to the right test.
        public var missHandler: (@Sendable (InterceptedRequest, RelayError) async -> Void)?

        /// The advice in messages about misses; none by default.
        package var missAdvice = MissAdvice()

        /// The handler for match explanations, called for each request before archives are searched; nil by default.
        ///
        /// An explanation contains the reason why each entry matches or does not match. Each call reads all entries, so
        /// set a handler only to debug unexpected responses.
        public var matchHandler: (@Sendable (MatchExplanation) -> Void)?

        /// A value that an adapter stores with the settings, such as the session for live requests; nil by default.
        package var adapterValue: (any Sendable)?

        /// Whether a body that is missing from the archive is delivered as an empty body.
        ///
        /// By default, this is `false` and the request fails.
        public var deliversMissingBodiesAsEmpty = false

        /// The matchers that select an entry.
        ///
        /// By default, method and URL must match, and the body selects among several matches.
        public var matching = RequestMatching.standard

        /// The time limit for closures that produce or change a response; 15 seconds by default.
        public var timeLimit = Duration.seconds(15)

        /// The clock for delays and time limits, replaceable in tests; `ContinuousClock` by default.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The logger for exchanges, which are logged without secrets; nil by default.
        ///
        /// Exchanges are logged at level `debug`, misses at `warning`, and `curl` commands at `trace`.
        public var logger: Logger?

        /// The settings for recorded content and its format.
        public var recording = RecordingConfiguration()

        /// The limits for reading the archive.
        public var reader = HARReader.Configuration()

        /// The policy for using an archive index stored in a file; `never` by default.
        public var index = HARArchive.IndexUse.never

        /// Creates the default settings.
        public init() {}
    }
}
