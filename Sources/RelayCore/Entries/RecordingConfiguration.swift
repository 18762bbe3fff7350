public import Foundation
public import HTTPArchive

/// Settings of a recording: the parts of an exchange that are recorded, and how they are written.
public struct RecordingConfiguration: Sendable {
    /// The storage of response bodies.
    ///
    /// Minor releases may add kinds of storage.
    public struct Bodies: Hashable, Sendable {
        private enum Storage { case embedded, attached, omitted }

        private let storage: Storage

        /// Stores bodies in the archive: text unchanged, all other bodies in Base64.
        public static let embed = Self(storage: .embedded)

        /// Stores bodies in files next to the archive, as Playwright does.
        ///
        /// Files are named by the SHA-1 of their bytes, so that equal bodies share one file. The entry contains the
        /// name in `_file`.
        public static let attach = Self(storage: .attached)

        /// Omits bodies; the entry contains only their sizes and media types.
        public static let omit = Self(storage: .omitted)
    }

    /// The secrets to redact before an entry is written; by default all known kinds of secrets.
    ///
    /// `nil` records secrets unchanged. Redacted entries still match requests with the original secrets.
    public var redaction: HARRedactor.Configuration? = .standard

    /// The storage of response bodies; in the archive by default.
    public var bodies = Bodies.embed

    /// The media types of recorded response bodies, without parameters and in any case, such as `application/json`,
    /// `text/*` or `*/*+json`; `nil` (the default) for all.
    ///
    /// The entry of an omitted body contains the reason in `comment` and `_bodyOmitted`.
    public var mediaTypes: [String]?

    /// The maximum size of a recorded response body, in bytes; `nil` (the default) for no limit.
    ///
    /// The entry of a larger body contains the reason in `comment` and `_bodyOmitted`.
    public var maximumBodySize: Int?

    /// The maximum size of an embedded body, in bytes; 32 MB by default.
    ///
    /// Larger bodies are always written to files, because few tools open much longer strings.
    public var largestEmbeddedBody = 32 << 20

    /// The settings that make recordings of equal responses byte-identical; `nil` (the default) records actual values.
    public var repeatable: Repeatable?

    /// The layout of entries; ``JSONLayout/pretty`` by default, which writes one field per line for reviews in version
    /// control.
    public var layout = JSONLayout.pretty

    /// The time at which entries are written; by default immediately, so that they survive a crash of the process.
    public var flushing = HARWriter.Flushing.eachEntry

    /// Creates the default settings.
    public init() {}
}

extension RecordingConfiguration {
    /// Settings for reproducible recordings, in which equal responses produce equal bytes, and changed responses
    /// produce small differences.
    ///
    /// - All exchanges start at ``start`` and have no duration.
    /// - Entries are sorted by URL and method; entries with the same URL and method stay in order of their start.
    /// - Header fields that change with each exchange are omitted. The others are sorted by name, and repeated fields
    ///   keep their order.
    /// - The lifetime of a cookie is recorded as `Max-Age` in whole minutes instead of `Expires`.
    /// - The server's address, the connection and the sizes of header sections are not recorded.
    public struct Repeatable: Hashable, Sendable {
        /// The start of all exchanges; the beginning of the year 2000 by default.
        public var start = Date(timeIntervalSince1970: 946_684_800)

        /// Whether entries are sorted when the archive is finished; `true` by default.
        ///
        /// Concurrent requests start in a different order each time.
        public var sortsEntries = true

        /// The names of header fields to omit from requests and responses, in any case; ``defaultVolatileHeaders`` by
        /// default.
        public var volatileHeaders = Self.defaultVolatileHeaders

        /// Creates the default settings.
        public init() {}

        /// Fields that change with each exchange: times, and identifiers assigned by servers and tracing systems.
        ///
        /// `ETag` and `Last-Modified` are not included, because they identify the content.
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
    /// The configuration of the archive's writer.
    var writer: HARWriter.Configuration {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        configuration.flushing = flushing
        configuration.isPrivate = redaction == nil
        return configuration
    }
}
