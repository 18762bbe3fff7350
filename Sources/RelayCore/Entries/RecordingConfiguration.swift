public import Foundation
public import HTTPArchive

/// Settings of a recording: the parts of an exchange that are recorded, and how they are written.
public struct RecordingConfiguration: Sendable {
    /// Where the bodies of responses are kept.
    ///
    /// Minor releases may add places.
    public struct Bodies: Hashable, Sendable {
        private enum Place { case embedded, attached, omitted }

        private let place: Place

        /// In the archive: text as it is, everything else in Base64.
        public static let embed = Self(place: .embedded)

        /// In files beside the archive, named by the SHA-1 of their bytes, so that equal bodies share one; the entry
        /// names the file in `_file`, as Playwright writes and reads it.
        public static let attach = Self(place: .attached)

        /// Nowhere: the entry has the size of the body and its media type alone.
        public static let omit = Self(place: .omitted)
    }

    /// What is a secret, which is taken out before anything is written; by default all that is known.
    ///
    /// `nil` records secrets as they are. Requests with their real secrets are answered by entries that were redacted in this way.
    public var redaction: HARRedactor.Configuration? = .standard

    /// Where the bodies of responses are kept; in the archive by default.
    public var bodies = Bodies.embed

    /// The media types whose response bodies are kept, without parameters and in any case: `application/json`,
    /// `text/*`, `*/*+json`; `nil`, the default, for all.
    ///
    /// The entry of a body that is left out says so in `comment` and in `_bodyOmitted`.
    public var mediaTypes: [String]?

    /// The largest response body that is kept, in bytes; `nil`, the default, for no limit.
    ///
    /// The entry of a larger one says so in `comment` and in `_bodyOmitted`.
    public var maximumBodySize: Int?

    /// The size above which a body is in a file even where bodies are embedded, in bytes; 32 MB by default.
    ///
    /// Few tools open strings that are much longer.
    public var largestEmbeddedBody = 32 << 20

    /// What makes recordings of the same answers the same, byte for byte; `nil`, the default, records what was.
    public var repeatable: Repeatable?

    /// How entries are laid out; by default ``JSONLayout/pretty``, which puts one field a line, for reviews in version
    /// control.
    public var layout = JSONLayout.pretty

    /// When entries are written; each at once by default, so that it outlives the process.
    public var flushing = HARWriter.Flushing.eachEntry

    /// Creates the default settings.
    public init() {}
}

extension RecordingConfiguration {
    /// What is recorded in place of what differs each time, so that a new recording of the same answers has the same
    /// bytes, and one of other answers a small difference.
    ///
    /// All exchanges begin at ``start`` and take no time; entries are sorted by URL and method, those of one URL and method
    /// staying in the order in which they began; header fields that differ each time are left out, the others are sorted
    /// by name, repeated ones staying in their order; the lifetime of a cookie stands in `Max-Age` rather than in
    /// `Expires`, in whole minutes; the address of the server, the connection and the sizes of header sections are not
    /// recorded.
    public struct Repeatable: Hashable, Sendable {
        /// When exchanges begin; the start of the year 2000 by default.
        public var start = Date(timeIntervalSince1970: 946_684_800)

        /// Whether entries are sorted, where they take their place in the archive at the end; `true` by default.
        ///
        /// Requests that run side by side begin in another order each time.
        public var sortsEntries = true

        /// The names of the header fields that are left out of requests and responses, in any case;
        /// ``defaultVolatileHeaders`` by default.
        public var volatileHeaders = Self.defaultVolatileHeaders

        /// Creates the default settings.
        public init() {}

        /// Fields that differ each time: times, and the names that servers and tracing systems give to one exchange.
        ///
        /// `ETag` and `Last-Modified` are not among them, since they belong to the content.
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
    /// What the writer of the archive has to know.
    var writer: HARWriter.Configuration {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        configuration.flushing = flushing
        configuration.isPrivate = redaction == nil
        return configuration
    }
}
