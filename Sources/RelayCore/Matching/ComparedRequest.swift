import Foundation
import HTTPArchive

/// A request as matchers see it: one that was asked, or one that was recorded.
struct ComparedRequest: Sendable {
    let request: InterceptedRequest

    /// The URL in its normal form.
    let url: NormalizedURL

    /// What the body is; `nil` where nothing says it.
    let bodyType: MediaType?

    /// Whether the archive has the body; one that it has not equals none.
    let isBodyCaptured: Bool

    /// Whether secrets were taken out of a recorded request; `false` of one that was asked.
    private(set) var isRedacted = false

    /// The placeholders that a recorded request has; none in one that was asked.
    private(set) var placeholders: [String] = []

    /// A request of which all is known.
    init(_ request: InterceptedRequest) {
        self.init(request, bodyType: nil, isBodyCaptured: true)
    }

    /// A recorded request, with the bare word in place of each placeholder of a secret.
    ///
    /// - Parameters:
    ///   - request: The request in the archive.
    ///   - folder: The folder of the archive, for bodies in files of their own; `nil` for entries in memory.
    ///   - withBody: Whether somebody will look at the body.
    init(recorded request: HAR.Request, folder: HAR.BodyFolder?, withBody: Bool) {
        let recorded = InterceptedRequest(recorded: request, folder: folder, withBody: withBody)
        let isRedacted = recorded.isRedacted
        self.init(
            isRedacted ? recorded.withoutKeys : recorded, bodyType: request.postData.flatMap { MediaType($0.mimeType) },
            isBodyCaptured: !withBody || recorded.body != nil)
        self.isRedacted = isRedacted
        if isRedacted { placeholders = recorded.placeholders }
    }

    private init(_ request: InterceptedRequest, bodyType: @autoclosure () -> MediaType?, isBodyCaptured: Bool) {
        self.request = request
        url = NormalizedURL(request.url)
        self.bodyType = request.headers.values(named: "content-type").first.flatMap { MediaType($0) } ?? bodyType()
        self.isBodyCaptured = isBodyCaptured
    }

    /// The body; `nil` when there is none, or an empty one.
    var body: Data? { request.body.flatMap { $0.isEmpty ? nil : $0 } }
}

extension InterceptedRequest {
    /// A recorded request.
    ///
    /// - Parameters:
    ///   - request: The request in the archive.
    ///   - folder: The folder of the archive, for bodies in files of their own; `nil` for entries in memory.
    ///   - withBody: Whether the body is read.
    init(recorded request: HAR.Request, folder: HAR.BodyFolder?, withBody: Bool) {
        let headers = request.headers.flatMap { header -> [HeaderField] in
            let (name, value) = (header.name, header.value)
            guard !name.hasPrefix(":") else { return [] }
            // All that ends a line is a control character, or none of ASCII.
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
