/// Something in an archive that is against the specification, or allowed but worth knowing.
///
/// Header values, cookies and bodies never appear in it.
public struct HARFinding: Hashable, Sendable {
    /// How much it matters.
    public let severity: Severity

    /// The rule that found it.
    public let rule: Rule

    /// The place in the document: of the value, or of the object that lacks a field.
    public let pointer: JSONPointer

    /// The number of bytes before that place in the file; `nil` when it is unknown, as for what was made by code.
    public let byteOffset: Int?

    /// What is there, and what the specification says.
    public let message: String
}

extension HARFinding {
    /// How much a finding matters.
    public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
        /// Allowed, but worth knowing.
        case note

        /// A deviation that readers usually cope with.
        case warning

        /// A deviation that makes tools reject the file, or loses data.
        case error

        /// Whether the first matters less than the second.
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
    /// The severity, the place, the message and the rule, such as
    /// `warning: /log/entries/0 (byte 52): The size is missing. [unknown-size]`.
    public var description: String {
        let location = pointer.components.isEmpty ? "the file" : pointer.description
        let offset = byteOffset.map { " (byte \($0))" } ?? ""
        return "\(severity.rawValue): \(location)\(offset): \(message) [\(rule)]"
    }
}

extension HARFinding {
    /// The finding for a byte order mark, which is no part of the document and so no event of a reader.
    public static let byteOrderMark = HARFinding(
        severity: .note, rule: .byteOrderMark, pointer: JSONPointer(), byteOffset: 0,
        message: "A byte order mark stands in front; HAR 1.2 allows it, JSON does not.")
}

extension HARFinding {
    /// A rule that findings come from.
    ///
    /// Minor releases may add rules.
    public struct Rule: Hashable, Sendable, CustomStringConvertible {
        /// The name of the rule, which stays the same in all releases, such as `missing-field`.
        public let description: String

        /// A byte order mark stands before the document.
        public static let byteOrderMark = Self(description: "byte-order-mark")

        /// A value has another JSON type than the specification says.
        public static let wrongType = Self(description: "wrong-type")

        /// A required field is missing.
        public static let missingField = Self(description: "missing-field")

        /// An optional field is null instead of absent.
        public static let nullField = Self(description: "null-field")

        /// A field is not in the specification, and its name does not begin with an underscore.
        public static let unknownField = Self(description: "unknown-field")

        /// A field is newer than the version that the log names.
        public static let newerField = Self(description: "newer-field")

        /// A name stands more than once in an object.
        public static let repeatedName = Self(description: "repeated-name")

        /// The log is of HAR 1.1.
        public static let oldVersion = Self(description: "old-version")

        /// The log is neither of HAR 1.1 nor of 1.2.
        public static let unknownVersion = Self(description: "unknown-version")

        /// An entry refers to a page that is not there.
        public static let unknownPage = Self(description: "unknown-page")

        /// Entries do not stand in the order of their times.
        public static let entriesNotInOrder = Self(description: "entries-not-in-order")

        /// A date is not ISO 8601.
        public static let invalidDate = Self(description: "invalid-date")

        /// A date has no offset from UTC.
        public static let dateWithoutOffset = Self(description: "date-without-offset")

        /// A time is missing, null or negative where the specification wants one.
        public static let unknownTime = Self(description: "unknown-time")

        /// A size is missing or null, where -1 would say that it is unknown.
        public static let unknownSize = Self(description: "unknown-size")

        /// A size is neither a number of bytes nor -1.
        public static let invalidSize = Self(description: "invalid-size")

        /// The version of HTTP is missing, empty or none that exists.
        public static let unknownHTTPVersion = Self(description: "unknown-http-version")

        /// A URL is not absolute.
        public static let relativeURL = Self(description: "relative-url")

        /// A URL is of another scheme than http and https.
        public static let notHTTPURL = Self(description: "not-http-url")

        /// A URL has no host.
        public static let invalidURL = Self(description: "invalid-url")

        /// A URL has characters that a URL may not have.
        public static let invalidURLCharacter = Self(description: "invalid-url-character")

        /// A URL has a fragment.
        public static let urlFragment = Self(description: "url-fragment")

        /// The parameters in `queryString` are not those of the URL.
        public static let queryMismatch = Self(description: "query-mismatch")

        /// There are pseudo-headers of HTTP/2 among the headers.
        public static let pseudoHeader = Self(description: "pseudo-header")

        /// A header value has line breaks, mostly between several values.
        public static let lineBreakInHeader = Self(description: "line-break-in-header")

        /// A request body is given as parameters and as text.
        public static let paramsAndText = Self(description: "params-and-text")

        /// A request had a body that is not in the file.
        public static let requestBodyNotCaptured = Self(description: "request-body-not-captured")

        /// A response had a body that is not in the file.
        public static let bodyNotCaptured = Self(description: "body-not-captured")

        /// A body is in a file of its own.
        public static let bodyInFile = Self(description: "body-in-file")

        /// A body is in a file outside the folder of the archive.
        public static let fileOutsideFolder = Self(description: "file-outside-folder")

        /// The size of a body is not the length of its text.
        public static let sizeMismatch = Self(description: "size-mismatch")

        /// A body is not the Base64 that it says to be.
        public static let malformedBase64 = Self(description: "malformed-base64")

        /// A body is Base64 with line breaks, without padding or in the alphabet for URLs.
        public static let looseBase64 = Self(description: "loose-base64")

        /// A body is encoded in a way that the specification does not name.
        public static let unknownEncoding = Self(description: "unknown-encoding")

        /// The media type of a body is empty or unknown.
        public static let unknownMediaType = Self(description: "unknown-media-type")

        /// A request failed: there was no response.
        public static let failedRequest = Self(description: "failed-request")

        /// A status is no status code of HTTP.
        public static let invalidStatus = Self(description: "invalid-status")

        /// A redirect does not say where to, in `redirectURL`.
        public static let missingRedirectURL = Self(description: "missing-redirect-url")

        /// An entry is a WebSocket connection, whose messages are not replayed.
        public static let webSocket = Self(description: "web-socket")

        /// A string has half a surrogate pair, which is no text.
        public static let loneSurrogate = Self(description: "lone-surrogate")

        /// A string has bytes that are not UTF-8.
        public static let invalidUTF8 = Self(description: "invalid-utf8")

        /// A body has U+FFFD, where its bytes were no text to the tool that made the file.
        public static let replacementCharacter = Self(description: "replacement-character")

        /// There is a secret, which ``HARRedactor`` takes out.
        public static let secret = Self(description: "secret")
    }
}
