import HTTPArchive
import Synchronization

/// A collection of requests whose bodies did not have to match, for comparison in the report.
final class ComparedBodies: Sendable {
    /// A request and the index of its entry.
    struct Use {
        let request: InterceptedRequest
        let entry: Int
    }

    private struct State {
        var uses: [Use] = []
        var size = 0
    }

    /// The maximum number of requests.
    private static let limit = 1_000

    /// The maximum total size of the bodies, in bytes.
    private static let sizeLimit = 16 << 20

    /// The preferred matchers that compare bodies.
    private let matchers: [RequestMatcher]

    private let state = Mutex(State())

    /// Creates an empty collection.
    init(_ plan: MatchingPlan) {
        matchers = plan.prefersBodies ? plan.preferred.filter { !$0.equivalence.bodies.isEmpty } : []
    }

    /// Adds a request and the index of its entry, unless this would exceed a limit.
    func note(_ request: InterceptedRequest, _ entry: Int) {
        let size = request.body?.count ?? 0
        state.withLock { state in
            guard state.uses.count < Self.limit, state.size + size <= Self.sizeLimit else { return }
            state.uses.append(Use(request: request, entry: entry))
            state.size += size
        }
    }

    /// Returns the requests whose bodies differ from the recorded bodies.
    ///
    /// - Parameters:
    ///   - source: The entries.
    ///   - layers: The layers that contain the archive, with their matching and redaction settings.
    /// - Returns: The requests and their differences, in the order of the requests.
    /// - Complexity: O(*n*) in the number of requests. The entry of each request is read.
    func changes(from source: ReplaySource, in layers: ArchiveLayers) -> [ReplayReport.ChangedBody] {
        state.withLock { $0.uses }.compactMap { use in
            guard let recorded = RecordedRequest(use.entry, of: source, withBody: true).compared,
                recorded.isBodyCaptured
            else { return nil }
            var lookup = RequestLookup(use.request, plan: layers.plan, redaction: layers.redaction)
            let forms = lookup.forms.map { $0.shown(by: layers.messages) }
            let differences = matchers.flatMap { $0.verdict(of: forms, recorded: recorded).differences }
            guard !differences.isEmpty else { return nil }
            return ReplayReport.ChangedBody(
                request: ReplayReport.Entry(use.entry, of: source, messages: layers.messages), archive: source.name,
                differences: differences)
        }
    }
}
