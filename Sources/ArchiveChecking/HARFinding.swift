public import HTTPArchive

/// A deviation from the specification, or a noteworthy fact, in an archive.
///
/// Findings never contain header values, cookies or bodies.
public struct HARFinding: Hashable, Sendable {
    /// The severity of the finding.
    public let severity: Severity

    /// The rule that produced the finding.
    public let rule: Rule

    /// The location of the value in the document, or of the object that lacks a field.
    public let pointer: JSONPointer

    /// The offset of the location in the file, in bytes, or nil if it is unknown, for example for a value created in
    /// code.
    public let byteOffset: Int?

    /// A description of the problem, often with the requirement of the specification.
    public let message: String
}

extension HARFinding {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
        /// A permitted but noteworthy fact.
        case note

        /// A deviation that most readers tolerate.
        case warning

        /// A deviation that causes tools to reject the file or lose data.
        case error

        /// Whether the first severity is lower than the second.
        public static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }
}

extension HARFinding: CustomStringConvertible {
    /// The severity, the location, the message and the rule, such as
    /// `warning: /log/entries/0 (byte 52): The size is missing. [unknown-size]`.
    public var description: String {
        let location = pointer.components.isEmpty ? "the file" : pointer.description
        let offset = byteOffset.map { " (byte \($0))" } ?? ""
        return "\(severity.rawValue): \(location)\(offset): \(message) [\(rule)]"
    }
}

extension HARFinding {
    /// The finding for a byte order mark.
    ///
    /// Readers do not report the mark as an event, because it is not part of the document.
    public static let byteOrderMark = HARFinding(
        severity: .note, rule: .byteOrderMark, pointer: JSONPointer(), byteOffset: 0,
        message: "The file begins with a byte order mark, which HAR 1.2 allows and JSON does not.")
}

extension HARFinding {
    /// A rule of the checker.
    ///
    /// Minor releases may add rules.
    public struct Rule: Hashable, Sendable, CustomStringConvertible {
        /// The name of the rule, such as `missing-field`, which stays the same in all releases.
        public let description: String

        /// The file begins with a byte order mark.
        public static let byteOrderMark = Self(description: "byte-order-mark")

        /// A value does not have the JSON type that the specification requires.
        public static let wrongType = Self(description: "wrong-type")

        /// A required field is missing.
        public static let missingField = Self(description: "missing-field")

        /// An optional field is null instead of missing.
        public static let nullField = Self(description: "null-field")

        /// A field is not in the specification, and its name does not begin with an underscore.
        public static let unknownField = Self(description: "unknown-field")

        /// A field is newer than the log's version.
        public static let newerField = Self(description: "newer-field")

        /// A name is repeated in an object.
        public static let repeatedName = Self(description: "repeated-name")

        /// The version of the log is 1.1 or empty.
        public static let oldVersion = Self(description: "old-version")

        /// The version of the log is neither 1.1 nor 1.2.
        public static let unknownVersion = Self(description: "unknown-version")

        /// An entry refers to a missing page.
        public static let unknownPage = Self(description: "unknown-page")

        /// Entries are not in chronological order.
        public static let entriesNotInOrder = Self(description: "entries-not-in-order")

        /// A date is empty or not in ISO 8601 format.
        public static let invalidDate = Self(description: "invalid-date")

        /// A date has no offset from UTC.
        public static let dateWithoutOffset = Self(description: "date-without-offset")

        /// A duration is missing, null or negative where the specification does not allow this.
        public static let unknownTime = Self(description: "unknown-time")

        /// A size is missing or null; an unknown size must be -1.
        public static let unknownSize = Self(description: "unknown-size")

        /// A size is neither a number of bytes nor -1, or not written as an integer.
        public static let invalidSize = Self(description: "invalid-size")

        /// The HTTP version is missing, empty or unknown.
        public static let unknownHTTPVersion = Self(description: "unknown-http-version")

        /// A URL is not absolute.
        public static let relativeURL = Self(description: "relative-url")

        /// The scheme of a URL is not an HTTP or WebSocket scheme.
        public static let notHTTPURL = Self(description: "not-http-url")

        /// A URL has no host.
        public static let invalidURL = Self(description: "invalid-url")

        /// A URL contains invalid characters.
        public static let invalidURLCharacter = Self(description: "invalid-url-character")

        /// A URL has a fragment.
        public static let urlFragment = Self(description: "url-fragment")

        /// The parameters in `queryString` differ from those in the URL.
        public static let queryMismatch = Self(description: "query-mismatch")

        /// The headers include HTTP/2 or HTTP/3 pseudo-headers.
        public static let pseudoHeader = Self(description: "pseudo-header")

        /// A method is not a token (RFC 9110, section 9.1, https://www.rfc-editor.org/rfc/rfc9110#section-9.1).
        public static let invalidMethod = Self(description: "invalid-method")

        /// The name of a header is not a token (RFC 9110, section 5.1,
        /// https://www.rfc-editor.org/rfc/rfc9110#section-5.1).
        public static let invalidHeaderName = Self(description: "invalid-header-name")

        /// A header value contains line breaks, which usually separate several values.
        public static let lineBreakInHeader = Self(description: "line-break-in-header")

        /// A request body is recorded as both parameters and text, and they differ.
        public static let paramsAndText = Self(description: "params-and-text")

        /// The body of a request was not captured.
        public static let requestBodyNotCaptured = Self(description: "request-body-not-captured")

        /// The body of a response was not captured.
        public static let bodyNotCaptured = Self(description: "body-not-captured")

        /// A body is in a separate file.
        public static let bodyInFile = Self(description: "body-in-file")

        /// A body is in a file outside the folder of the archive.
        public static let fileOutsideFolder = Self(description: "file-outside-folder")

        /// A body is in a file that is missing or cannot be read.
        public static let missingBodyFile = Self(description: "missing-body-file")

        /// The recorded size of a body differs from the length of its text.
        public static let sizeMismatch = Self(description: "size-mismatch")

        /// The text of a body is not valid base64.
        public static let malformedBase64 = Self(description: "malformed-base64")

        /// The text of a body is base64 with line breaks, without padding, or in the URL-safe alphabet.
        public static let looseBase64 = Self(description: "loose-base64")

        /// The text of a body is Base64 or a `data:` URL, but is not marked as such.
        public static let unmarkedBase64 = Self(description: "unmarked-base64")

        /// A body was recorded with its content coding.
        public static let contentCoding = Self(description: "content-coding")

        /// A body could not be searched for secrets.
        public static let unsearchedBody = Self(description: "unsearched-body")

        /// The encoding of a body is not in the specification.
        public static let unknownEncoding = Self(description: "unknown-encoding")

        /// The media type of a body is empty or unknown.
        public static let unknownMediaType = Self(description: "unknown-media-type")

        /// A request failed without a response.
        public static let failedRequest = Self(description: "failed-request")

        /// A status is invalid, is not defined by HTTP, or is not written as an integer.
        public static let invalidStatus = Self(description: "invalid-status")

        /// The `redirectURL` of a redirect is empty.
        public static let missingRedirectURL = Self(description: "missing-redirect-url")

        /// An entry is a WebSocket connection, whose messages are not replayed.
        public static let webSocket = Self(description: "web-socket")

        /// An entry is a proxy tunnel, or its response is not final, so it is not replayed.
        public static let notReplayed = Self(description: "not-replayed")

        /// A recorded WebSocket message is not in the format of Chromium.
        public static let invalidWebSocketMessage = Self(description: "invalid-web-socket-message")

        /// A string contains only half of a surrogate pair.
        public static let loneSurrogate = Self(description: "lone-surrogate")

        /// A string contains bytes that are not valid UTF-8.
        public static let invalidUTF8 = Self(description: "invalid-utf8")

        /// A body contains U+FFFD, because the recording tool could not decode some bytes.
        public static let replacementCharacter = Self(description: "replacement-character")

        /// The archive contains a secret, which `HARRedactor` can replace.
        public static let secret = Self(description: "secret")
    }
}
