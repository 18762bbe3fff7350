import HTTPArchive

/// A request for which an entry is wanted, with what was found out about it.
struct RequestLookup {
    let request: InterceptedRequest
    let key: RequestKey

    /// Under which conditions the client wants a body; `nil` when it has nothing.
    let conditions: Conditions?

    /// The request as matchers see it: as it was asked, or redacted.
    private let form: InterceptedRequest

    /// The size from which on bodies are not looked at where nothing may take long, in bytes.
    private static let quickBodySize = 1 << 16

    private let plan: MatchingPlan
    private let redaction: RequestRedaction?
    private var digests: [MatchingPlan.Part: Digest] = [:]

    /// What the secrets are in an archive; `nil` until somebody asks.
    private var ownPlaceholders: Digest?

    /// The redacted form; `nil` until somebody asks, and `nil` within where it is the same.
    private var redacted: InterceptedRequest??

    /// Prepares to look for an entry.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - form: The form in which it is compared; `nil`, the default, for the request as it is.
    ///   - plan: How entries are chosen.
    ///   - redaction: What knows the form that the request has in archives that were redacted; none by default.
    init(
        _ request: InterceptedRequest, as form: InterceptedRequest? = nil, plan: MatchingPlan,
        redaction: RequestRedaction? = nil
    ) {
        self.request = request
        self.form = form ?? request
        // To redact twice changes nothing more.
        redacted = form == nil ? nil : .some(nil)
        self.plan = plan
        self.redaction = redaction
        let url = NormalizedURL(HARRedactor.withoutKeys(self.form.url))
        key = RequestKey(method: request.method, url: url, rule: plan.key)
        conditions = Conditions { request.headers.values(named: $0).first }
    }

    /// The request as matchers see it.
    var compared: ComparedRequest { ComparedRequest(form.withoutKeys) }

    /// The request as it was asked, and as it stands in redacted archives where that is different.
    var forms: [ComparedRequest] {
        mutating get { [compared] + (inRedactedArchives().map { [$0.compared] } ?? []) }
    }

    /// Whether what matchers compare is found out in no time.
    var isQuick: Bool { (request.body?.count ?? 0) < Self.quickBodySize }

    /// What stands for what a matcher compares; it is found out once.
    mutating func digest(of part: MatchingPlan.Part) -> Digest {
        if let digest = digests[part] { return digest }
        let digest = plan.digest(of: part, in: compared)
        digests[part] = digest
        return digest
    }

    /// The form that the request has in redacted archives, to be compared in its place; `nil` where it is the same.
    mutating func inRedactedArchives() -> RequestLookup? {
        if redacted == nil { redacted = .some(redaction?.masked(form)) }
        return redacted?.map { RequestLookup(request, as: $0, plan: plan, redaction: redaction) }
    }

    /// What stands for the secrets of the request, as ``RecordedRequest`` has it of recorded ones; it is found out once.
    mutating func digestOfSecrets() -> Digest {
        if let ownPlaceholders { return ownPlaceholders }
        let digest = Digest(redaction?.placeholders(of: request) ?? request.placeholders)
        ownPlaceholders = digest
        return digest
    }
}
