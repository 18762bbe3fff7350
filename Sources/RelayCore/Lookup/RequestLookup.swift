import Foundation
import HTTPArchive

/// A request to look up in archives, with cached digests.
struct RequestLookup {
    let request: InterceptedRequest
    let key: RequestKey

    /// The preconditions of the request, or `nil` if the client has no cached copy.
    let conditions: Conditions?

    /// The form of the request to compare: original or redacted.
    private let form: InterceptedRequest

    private let plan: MatchingPlan
    private let redaction: RequestRedaction?
    private var digests: [MatchingPlan.Part: Digest] = [:]

    /// The digest of the placeholders for the request's secrets; `nil` before first use.
    private var placeholderDigest: Digest?

    /// The redacted form.
    ///
    /// The outer optional is `nil` before first use. The inner one is `nil` if redaction does not change the request.
    private var redacted: InterceptedRequest??

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - form: The form of the request to compare; `nil` (the default) for the original request.
    ///   - plan: The rules for selecting entries.
    ///   - redaction: The conversion of requests to their form in redacted archives; `nil` by default.
    init(
        _ request: InterceptedRequest, as form: InterceptedRequest? = nil, plan: MatchingPlan,
        redaction: RequestRedaction? = nil
    ) {
        self.request = request
        self.form = form ?? request
        // Redaction is idempotent, so a redacted form is not redacted again.
        redacted = form == nil ? nil : .some(nil)
        self.plan = plan
        self.redaction = redaction
        let url = NormalizedURL(HARRedactor.withoutKeys(self.form.url))
        key = RequestKey(method: request.method, url: url, rule: plan.key)
        conditions = Conditions { request.headers.values(named: $0).first }
    }

    /// The request in the form that matchers compare.
    var compared: ComparedRequest { ComparedRequest(form.withoutKeys) }

    /// The original request, followed by its redacted form if that is different.
    var forms: [ComparedRequest] {
        mutating get { [compared] + (inRedactedArchives().map { [$0.compared] } ?? []) }
    }

    /// Whether the request opens a WebSocket connection, which only adapters for servers find out.
    var opensWebSocket: Bool { request.url.hasPrefix("ws") }

    /// Whether digests can be computed quickly.
    var isQuick: Bool { request.byteCount <= WorkSize.medium.limit }

    /// Returns the digest of the parts compared by a matcher, and caches it.
    mutating func digest(of part: MatchingPlan.Part) -> Digest {
        if let digest = digests[part] { return digest }
        let digest = plan.digest(of: part, in: compared)
        digests[part] = digest
        return digest
    }

    /// Returns a lookup for the redacted form of the request, or `nil` if redaction does not change the request.
    mutating func inRedactedArchives() -> RequestLookup? {
        if redacted == nil { redacted = .some(redaction?.masked(form)) }
        return redacted?.map { RequestLookup(request, as: $0, plan: plan, redaction: redaction) }
    }

    /// Returns the digest of the request's secrets, and caches it.
    ///
    /// The digest can be compared with the digests in the column ``DigestTable/Column/secrets``.
    mutating func digestOfSecrets() -> Digest {
        if let placeholderDigest { return placeholderDigest }
        let digest = Digest(redaction?.placeholders(of: request) ?? request.placeholders)
        placeholderDigest = digest
        return digest
    }
}

/// The preconditions of a conditional request (RFC 9110, section 13.1,
/// https://www.rfc-editor.org/rfc/rfc9110#section-13.1).
struct Conditions: Hashable, Sendable {
    /// The entity tags in `If-None-Match`.
    let entityTags: [String]

    /// The value of `If-Modified-Since`, or `nil` if there are entity tags, which take precedence.
    let modifiedSince: String?

    /// Creates the conditions from header fields, or returns nil if the fields contain no condition.
    init?(_ value: (_ name: String) -> String?) {
        let tags = value("if-none-match").map(Self.tags) ?? []
        let date = value("if-modified-since")?.trimming(.whitespaces)
        guard !tags.isEmpty || date != nil else { return nil }
        entityTags = tags
        modifiedSince = tags.isEmpty ? date : nil
    }

    /// Whether the client already has the response with these validators.
    func areMet(entityTag: String?, lastModified: String?) -> Bool {
        if entityTags == ["*"] { return true }
        if !entityTags.isEmpty { return entityTag.map { entityTags.contains(Self.weak($0)) } ?? false }
        return modifiedSince != nil && modifiedSince == lastModified
    }

    /// Returns the entity tags in a field value.
    ///
    /// The prefix `W/` is removed for weak comparison.
    private static func tags(_ value: String) -> [String] {
        var tags: [String] = []
        var rest = value.utf8[...]
        while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "*") }) {
            var end = start
            if rest[start] == UInt8(ascii: "\"") {
                guard let quote = rest[rest.index(after: start)...].firstIndex(of: UInt8(ascii: "\"")) else { break }
                end = quote
            }
            tags.append(String(decoding: rest[start...end], as: UTF8.self))
            rest = rest[rest.index(after: end)...]
        }
        return tags.isEmpty ? [weak(value)] : tags
    }

    private static func weak(_ tag: String) -> String {
        let tag = tag.trimming(.whitespaces)
        return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}
