import Foundation
import HTTPArchive

/// What a recorded exchange takes the place of.
enum Replacement: Sendable {
    /// Nothing: it stands beside what is there.
    case nothing

    /// One entry, which was too old.
    case entry(EntryIdentity)

    /// All entries that were there before and are in the ``ReplacementScope``.
    case everything

    /// Those of them that match the pattern of a rule.
    case requests(of: Rule)
}

/// What recorded exchanges have taken the place of.
struct ReplacedEntries: Sendable {
    private var isAll = false
    private var entries: Set<EntryIdentity> = []
    private var rules: [Rule.ID: RequestPattern] = [:]

    /// Whether nothing has to go.
    var isEmpty: Bool { !isAll && entries.isEmpty && rules.isEmpty }

    /// Takes note of what an exchange takes the place of.
    mutating func insert(_ replacement: Replacement) {
        switch replacement {
        case .nothing: break
        case .entry(let identity): entries.insert(identity)
        case .everything: isAll = true
        case .requests(let rule): rules[rule.id] = rule.pattern
        }
    }

    /// Whether an entry has to go.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - archive: Its archive.
    ///   - scope: The part of the archive that the mode `all` replaces.
    /// - Returns: Whether it has to go.
    /// - Throws: As ``HARArchive/entry(at:)`` does where patterns have to see the entry.
    func contains(_ index: Int, of archive: HARArchive, in scope: ReplacementScope) throws(HARError) -> Bool {
        let summary = archive.summary(at: index)
        let identity = EntryIdentity(
            method: summary.method, url: summary.url, startedDateTime: summary.startedDateTime,
            pageref: summary.pageref)
        if entries.contains(identity) { return true }
        let isCandidate = isAll ? true : try rulesMatch(index, of: archive)
        return isCandidate ? try scope.contains(index, of: archive) : false
    }

    private func rulesMatch(_ index: Int, of archive: HARArchive) throws(HARError) -> Bool {
        guard !rules.isEmpty else { return false }
        let request = InterceptedRequest(
            recorded: try archive.entry(at: index).request, folder: archive.bodyFolder, withBody: true)
        return rules.values.contains { $0.matches(request) }
    }
}

/// The part of an archive that a recording by the mode `all` replaces.
///
/// Tests that share an archive have a page each. A run of one test replaces the entries of its page, and leaves those of
/// the tests that do not run. Entries of no test, such as those of a browser, are replaced where the run has recorded the
/// same request. Without any test, everything is replaced.
struct ReplacementScope {
    private let page: String?
    private let sharesPage: Bool
    private let testPages: Set<String>
    private let requests: RecordedRequests

    /// Creates a scope.
    ///
    /// - Parameters:
    ///   - page: The page of the recorded entries, or nil outside of tests.
    ///   - sharesPage: Whether the page has entries of other recordings, as that of a parameterized test has, whose cases
    ///     may fail one by one.
    ///   - pages: The pages of the archive.
    ///   - requests: The recorded requests.
    init(page: String?, sharesPage: Bool, pages: [HAR.Page], requests: RecordedRequests) {
        self.page = page
        self.sharesPage = sharesPage
        // A page of a test has its name twice; one of a browser has a title for people.
        testPages = Set(pages.filter { $0.id == $0.title }.map(\.id))
        self.requests = requests
    }

    /// Whether an entry is replaced.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - archive: The archive.
    /// - Returns: Whether it is.
    /// - Throws: As ``HARArchive/entry(at:)`` does.
    func contains(_ index: Int, of archive: HARArchive) throws(HARError) -> Bool {
        let entryPage = archive.summary(at: index).pageref
        if let page, entryPage == page { return sharesPage ? try requests.contain(index, of: archive) : true }
        switch (isTest: page != nil, isOfTest: entryPage.map(testPages.contains) ?? false) {
        case (isTest: false, isOfTest: false): return true
        case (isTest: true, isOfTest: true): return false
        default: return try requests.contain(index, of: archive)
        }
    }
}

/// The requests of a recording, to find the entries that have the same ones.
///
/// Two requests are the same if all matchers agree, those too that are only preferred: of their entries the first one
/// would be replayed, so that an older one must not stay in front of a new one.
final class RecordedRequests {
    private let archive: HARArchive
    private let matcher: RequestMatcher
    private let redaction: RequestRedaction

    /// The recorded requests by what the matchers compare; read when the first entry is looked for.
    private lazy var requests: [Digest: [ComparedRequest]] = {
        let requests = (0..<archive.count).compactMap { try? Self.request(at: $0, of: archive) }
        return Dictionary(grouping: requests, by: digest)
    }()

    /// Creates the collection.
    ///
    /// - Parameters:
    ///   - archive: The archive of the recording.
    ///   - matching: The matchers.
    ///   - redaction: The settings by which the recording was redacted, or nil if it was not.
    init(of archive: HARArchive, matching: RequestMatching, redaction: HARRedactor.Configuration?) {
        self.archive = archive
        matcher = .all(of: matching.required + matching.preferred)
        self.redaction = RequestRedaction(redaction)
    }

    /// Whether one of the requests is that of an entry, as it is or redacted.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - other: The archive of the entry.
    /// - Returns: Whether one is.
    /// - Throws: As ``HARArchive/entry(at:)`` does.
    func contain(_ index: Int, of other: HARArchive) throws(HARError) -> Bool {
        let request = try Self.request(at: index, of: other)
        let forms = [request] + (redaction.masked(request.request).map { [ComparedRequest($0)] } ?? [])
        return forms.contains { form in
            let digest = digest(of: form)
            guard digest != .unknown, let candidates = requests[digest] else { return false }
            return candidates.contains { matcher.passesTests(asked: $0, recorded: form) }
        }
    }

    private func digest(of request: ComparedRequest) -> Digest {
        matcher.equivalence.digest(of: request, withKey: true)
    }

    private static func request(at index: Int, of archive: HARArchive) throws(HARError) -> ComparedRequest {
        ComparedRequest(
            recorded: try archive.entry(at: index).request, folder: archive.bodyFolder,
            withBody: true)
    }
}
