/// A request for which an entry is wanted, with what was found out about it.
struct AskedRequest {
    let request: InterceptedRequest
    let key: RequestKey

    /// Under which conditions the client wants a body; `nil` when it has nothing.
    let conditions: Conditions?

    /// The size from which on bodies are not looked at where nothing may take long, in bytes.
    private static let quickBodySize = 1 << 16

    private let plan: MatchingPlan
    private var digests: [MatchingPlan.Part: Digest] = [:]

    init(_ request: InterceptedRequest, plan: MatchingPlan) {
        self.request = request
        self.plan = plan
        key = RequestKey(method: request.method, url: NormalizedURL(request.url), rule: plan.key)
        conditions = Conditions { request.headers.values(named: $0).first }
    }

    /// The request as matchers see it.
    var compared: ComparedRequest { ComparedRequest(request) }

    /// Whether what matchers compare is found out in no time.
    var isQuick: Bool { (request.body?.count ?? 0) < Self.quickBodySize }

    /// What stands for what a matcher compares; it is found out once.
    mutating func digest(of part: MatchingPlan.Part) -> Digest {
        if let digest = digests[part] { return digest }
        let digest = plan.digest(of: part, in: compared)
        digests[part] = digest
        return digest
    }
}
