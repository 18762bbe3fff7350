import Foundation
public import HTTPArchive
public import Logging

extension Interceptor {
    /// Settings of an interceptor.
    public struct Configuration: Sendable {
        /// What becomes of a request that no entry answers.
        public enum UnmatchedRequests: Sendable, Hashable {
            /// It fails at once, with an error that names the nearest entries.
            case fail

            /// It goes to the network.
            case passThrough
        }

        /// What becomes of a request that no entry answers; it fails by default.
        public var unmatchedRequests = UnmatchedRequests.fail

        /// Is told of each request that nothing answers, with the error that it fails with; nobody by default.
        ///
        /// The request ends when it returns, within ``timeLimit``. It runs with the task-local values of the place where the
        /// interceptor was made, so that what it finds wrong with a test counts for that.
        public var missHandler: (@Sendable (InterceptedRequest, RelayError) async -> Void)?

        /// Is told of each request that archives are asked for, before they answer it, why its entries match or not;
        /// nobody by default.
        ///
        /// All entries are read for that: it is for finding out why an answer is not the one that was expected.
        public var matchHandler: (@Sendable (MatchExplanation) -> Void)?

        /// A value that an adapter keeps with the settings, such as the session for live requests; nil by default.
        package var adapterValue: (any Sendable)?

        /// Whether a body that the archive does not have is delivered as an empty one; `false` by default, which makes
        /// it an error.
        public var deliversMissingBodiesAsEmpty = false

        /// How the entry is chosen that answers a request; by default by method and URL, and by the body where several
        /// have these.
        public var matching = RequestMatching.standard

        /// The time that closures have to answer a request or to change its answer; 15 seconds by default.
        public var timeLimit = Duration.seconds(15)

        /// What measures delays and time limits; a test may give one of its own.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// Where exchanges are logged: as `debug`, as `warning` where nothing answered, and as `curl` commands by `trace`,
        /// without secrets; nowhere by default.
        public var logger: Logger?

        /// What is recorded of an exchange, and how it is written.
        public var recording = RecordingConfiguration()

        /// The limits for reading the archive.
        public var reader = HARReader.Configuration()

        /// Whether an index of the archive that is kept in a file is used; never by default.
        public var index = HARArchive.IndexUse.never

        /// Creates the default settings.
        public init() {}
    }
}
