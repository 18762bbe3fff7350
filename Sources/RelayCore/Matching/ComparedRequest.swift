import Foundation
import HTTPArchive

/// An intercepted or recorded request, prepared for comparison by matchers.
struct ComparedRequest: Sendable {
    /// The request, whose body has no content codings if they can be removed.
    let request: InterceptedRequest

    /// The normalized URL.
    let url: NormalizedURL

    /// The media type of the body, or `nil` if it is unknown.
    let bodyType: MediaType?

    /// Whether the body is known; `false` if it is missing from the archive.
    ///
    /// An unknown body does not match any body.
    let isBodyCaptured: Bool

    /// Whether this is a recorded request with redacted secrets.
    private(set) var isRedacted = false

    /// The redaction for values in reported differences.
    private(set) var messages = MessageRedaction.standard

    /// The placeholders in the recorded request; empty for an intercepted request.
    private(set) var placeholders: [String] = []

    /// Creates a value from a recorded request, and removes the keys from its placeholders.
    ///
    /// - Parameters:
    ///   - request: The request in the archive.
    ///   - folder: The directory that contains the archive and attached bodies; `nil` for entries in memory.
    ///   - withBody: Whether to read the body.
    init(recorded request: HAR.Request, folder: HAR.BodyFolder?, withBody: Bool) {
        let recorded = InterceptedRequest(recorded: request, folder: folder, withBody: withBody)
        let isRedacted = recorded.isRedacted
        self.init(
            isRedacted ? recorded.withoutKeys : recorded, bodyType: request.postData.flatMap { MediaType($0.mimeType) },
            isBodyCaptured: !withBody || recorded.body != nil)
        self.isRedacted = isRedacted
        if isRedacted { placeholders = recorded.placeholders }
    }

    /// Creates a value from a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - bodyType: The media type to use if the header fields declare none; `nil` by default.
    ///   - isBodyCaptured: Whether the body is known; `true` by default.
    init(
        _ request: InterceptedRequest, bodyType: @autoclosure () -> MediaType? = nil, isBodyCaptured: Bool = true
    ) {
        var request = request
        let codings = request.body == nil ? [] : request.headers.values(named: "content-encoding")
        let count = codings.reduce(0) { $0 + $1.split(separator: ",").count }
        if let body = request.body, 1...Self.codingLimit ~= count {
            var decoded = InterpretedBody(bytes: body)
            decoded.removeCodings(codings.map { HAR.Header(name: "Content-Encoding", value: $0) }, nil)
            request.body = decoded.bytes
        }
        self.request = request
        url = NormalizedURL(request.url)
        self.bodyType = request.headers.values(named: "content-type").first.flatMap { MediaType($0) } ?? bodyType()
        self.isBodyCaptured = isBodyCaptured
    }

    /// The maximum number of content codings that are removed.
    ///
    /// Each coding can take as long as all others together.
    private static let codingLimit = 4

    /// Returns a copy with the given redaction for values in differences.
    func shown(by messages: MessageRedaction) -> ComparedRequest {
        var request = self
        request.messages = messages
        return request
    }

    /// The fragment of the URL without its number sign; empty if the URL has none.
    var fragment: Substring { LiteralURL(request.url).fragment.dropFirst() }

    /// The body, or `nil` if it is missing or empty.
    var body: Data? { request.body.flatMap { $0.isEmpty ? nil : $0 } }
}

extension InterceptedRequest {
    /// Creates a request from a recorded one.
    ///
    /// - Parameters:
    ///   - request: The request in the archive.
    ///   - folder: The directory that contains the archive and attached bodies; `nil` for entries in memory.
    ///   - withBody: Whether to read the body.
    init(recorded request: HAR.Request, folder: HAR.BodyFolder?, withBody: Bool) {
        let headers = request.headers.flatMap { header -> [HeaderField] in
            let (name, value) = (header.name, header.value)
            guard !name.hasPrefix(":") else { return [] }
            // Printable ASCII contains no line terminators, so the value need not be split.
            guard value.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else {
                return [HeaderField(name: name, value: value)]
            }
            return value.split(whereSeparator: \.isNewline).map { HeaderField(name: name, value: String($0)) }
        }
        var body: Data?
        if withBody {
            body = if let folder { try? request.bodyData(in: folder) } else { request.body.data }
        }
        self.init(method: request.method, url: request.url, headers: headers, body: body)
    }
}
