public import Foundation
public import HTTPArchive

/// The settings of a recording: which parts of an exchange to record, and in which format.
public struct RecordingConfiguration: Sendable {
    /// A storage method for response bodies.
    ///
    /// Minor releases may add storage methods.
    public struct Bodies: Hashable, Sendable {
        private enum Storage { case embedded, attached, omitted }

        private let storage: Storage

        /// Stores bodies in the archive: text as is, and all other bodies in Base64.
        public static let embed = Self(storage: .embedded)

        /// Stores bodies in files next to the archive, as Playwright does.
        ///
        /// Each file is named after the SHA-1 hash of its bytes, so identical bodies share one file. The entry contains
        /// the file name in `_file`.
        public static let attach = Self(storage: .attached)

        /// Omits bodies, so entries contain only their sizes and media types.
        public static let omit = Self(storage: .omitted)
    }

    /// The filters that drop or change exchanges before they are recorded, in order; none by default.
    public var filters: [RecordingFilter] = []

    /// A closure that returns whether to record the exchange of an entry, which contains no bodies; nil for all.
    package var condition: (@Sendable (HAR.Entry) -> Bool)?

    /// A closure that receives each recorded entry after its secrets are redacted; nil by default.
    ///
    /// The closure is called on a background queue, in the order in which requests end. It also receives entries that
    /// are discarded later because a test failed.
    public var entryHandler: (@Sendable (HAR.Entry) -> Void)?

    /// The secrets to redact before an entry is written; by default all known kinds of secrets.
    ///
    /// `nil` records secrets unchanged. Redacted entries still match requests with the original secrets.
    public var redaction: HARRedactor.Configuration? = .standard

    /// The storage method for response bodies; ``Bodies/embed`` by default.
    public var bodies = Bodies.embed

    /// The media types of the response bodies to record, without parameters, such as `application/json`, `text/*` or
    /// `*/*+json`; `nil` (the default) for all.
    ///
    /// Media types are compared case-insensitively. If a body is omitted, its entry contains the reason in `comment`
    /// and `_bodyOmitted`.
    public var mediaTypes: [String]?

    /// The maximum size of a response body to record, in bytes; `nil` (the default) for no limit.
    ///
    /// Larger bodies are omitted, and their entries contain the reason in `comment` and `_bodyOmitted`.
    public var maximumBodySize: Int?

    /// The maximum size of an embedded body, in bytes; 32 MB by default.
    ///
    /// Larger bodies are always written to files, because few tools can open archives with longer strings.
    public var largestEmbeddedBody = 32 << 20

    /// The settings that make recordings of equal responses byte-identical; `nil` (the default) to record actual
    /// values.
    public var repeatable: Repeatable?

    /// The layout of entries; `JSONLayout.pretty` by default, which writes one field per line so that diffs are easy
    /// to review.
    public var layout = JSONLayout.pretty

    /// The policy for flushing entries to the file.
    ///
    /// By default, each entry is flushed immediately and survives a crash of the process.
    public var flushing = HARWriter.Flushing.eachEntry

    /// Creates the default settings.
    public init() {}
}

extension RecordingConfiguration {
    /// Settings for reproducible recordings, in which equal responses produce identical bytes, and changed responses
    /// produce small diffs.
    ///
    /// - All exchanges start at ``start`` and have a duration of zero.
    /// - Entries are sorted by URL and method. Entries with the same URL and method keep the order in which they
    ///   started.
    /// - Header fields that change with each exchange are omitted. The others are sorted by name, and repeated fields
    ///   keep their order.
    /// - The lifetime of a cookie is recorded as `Max-Age`, rounded to minutes, instead of `Expires`.
    /// - The server's IP address, the connection, and the sizes of header sections are not recorded.
    public struct Repeatable: Hashable, Sendable {
        /// The start time of all exchanges; midnight UTC on January 1, 2000, by default.
        public var start = Date(timeIntervalSince1970: 946_684_800)

        /// Whether entries are sorted when the archive is finished; `true` by default.
        ///
        /// Sorting is useful because concurrent requests start in a different order in each run.
        public var sortsEntries = true

        /// The case-insensitive names of header fields to omit from requests and responses;
        /// ``defaultVolatileHeaders`` by default.
        public var volatileHeaders = Self.defaultVolatileHeaders

        /// Creates the default settings.
        public init() {}

        /// The names of header fields that change with each exchange, such as times and trace identifiers.
        ///
        /// `ETag` and `Last-Modified` are not included because they identify the content.
        public static let defaultVolatileHeaders: Set<String> = [
            "Age", "Date", "Expires", "Server-Timing", "X-Response-Time", "X-Runtime", "X-Timer",
            "X-Correlation-Id", "X-Request-Id", "Request-Id", "X-Amzn-RequestId", "X-Amz-Request-Id", "X-Amz-Id-2",
            "X-Amz-Cf-Id", "X-Amzn-Trace-Id", "X-GitHub-Request-Id", "X-Cloud-Trace-Context", "X-Vercel-Id",
            "Fly-Request-Id", "CF-Ray", "Report-To", "X-Cache", "X-Cache-Hits", "X-Served-By",
            "Traceparent", "Tracestate", "Baggage", "B3", "X-B3-TraceId", "X-B3-SpanId", "X-B3-ParentSpanId",
            "RateLimit-Remaining", "RateLimit-Reset", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Used",
        ]
    }
}

extension RecordingConfiguration {
    /// Returns the configuration of the archive writer.
    ///
    /// - Parameter reader: The limits for reading an existing archive.
    /// - Returns: The configuration.
    func writer(reading reader: HARReader.Configuration) -> HARWriter.Configuration {
        var configuration = HARWriter.Configuration()
        configuration.reader = reader
        configuration.layout = layout
        configuration.flushing = flushing
        configuration.isPrivate = redaction == nil
        return configuration
    }
}
