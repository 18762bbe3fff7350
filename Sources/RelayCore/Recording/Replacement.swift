import HTTPArchive

/// The entries that a recorded exchange replaces.
enum Replacement: Sendable {
    /// The exchange is added without replacing any entries.
    case nothing

    /// A single entry that is too old.
    case entry(EntryIdentity)

    /// All entries in the ``ReplacementScope``.
    case everything

    /// All entries in the scope that match the pattern of a rule.
    case requests(of: Rule)
}

/// The entries that a recording replaces.
struct ReplacedEntries: Sendable {
    private var isAll = false
    private var entries: Set<EntryIdentity> = []
    private var rules: [Rule.ID: RequestPattern] = [:]

    /// Whether no entries are replaced.
    var isEmpty: Bool { !isAll && entries.isEmpty && rules.isEmpty }

    /// Adds the entries that an exchange replaces.
    mutating func insert(_ replacement: Replacement) {
        switch replacement {
        case .nothing: break
        case .entry(let identity): entries.insert(identity)
        case .everything: isAll = true
        case .requests(let rule): rules[rule.id] = rule.pattern
        }
    }

    /// Returns whether an entry is replaced.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - archive: The archive that contains the entry.
    ///   - scope: The part of the archive that the mode `all` replaces.
    /// - Returns: `true` if the entry is replaced.
    /// - Throws: Any error from ``HARArchive/entry(at:)``, if the entry must be read for a comparison.
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
        // An entry remains if a regular expression takes too much work.
        return rules.values.contains { $0.matches(request) }
    }
}

/// The part of an archive that a recording in the mode `all` replaces.
///
/// Each test that shares an archive has a separate page. Running a test replaces the entries of its page and keeps the
/// entries of other tests. Entries outside tests, such as entries from a browser, are replaced if the test has recorded
/// the same request. A recording outside tests replaces all entries, except entries of tests whose requests were not
/// recorded again.
struct ReplacementScope {
    /// The page of the recorded entries, or nil outside tests.
    let page: String?

    /// Whether the page can also contain entries from other recordings.
    ///
    /// This is true for a parameterized test, whose cases can fail individually.
    let sharesPage: Bool

    /// The identifiers of the pages of tests in the archive.
    let testPages: Set<String>

    /// The recorded requests.
    let requests: RecordedRequests

    /// Returns whether an entry is replaced.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - archive: The archive.
    /// - Returns: `true` if the entry is replaced.
    /// - Throws: Any error from ``HARArchive/entry(at:)``.
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

/// The requests of a recording, indexed for finding entries with the same request.
///
/// Two requests are considered the same if all matchers match, including the preferred matchers. Replay would select
/// the first of several entries with the same request, so an old entry must not precede a new entry.
final class RecordedRequests {
    private let archive: HARArchive
    private let matcher: RequestMatcher
    private let redaction: RequestRedaction

    /// The recorded requests by the digest of their compared parts, computed on first use.
    private lazy var requests: [Digest: [ComparedRequest]] = {
        let requests = (0..<archive.count).compactMap { try? Self.request(at: $0, of: archive) }
        return Dictionary(grouping: requests, by: digest)
    }()

    /// Creates the index.
    ///
    /// - Parameters:
    ///   - archive: The archive of the recording.
    ///   - matching: The matchers.
    ///   - redaction: The settings with which the recording was redacted, or nil if it was not redacted.
    init(of archive: HARArchive, matching: RequestMatching, redaction: HARRedactor.Configuration?) {
        self.archive = archive
        matcher = .all(of: matching.required + matching.preferred)
        self.redaction = RequestRedaction(redaction)
    }

    /// Returns whether the recording contains the request of an entry, in its original or redacted form.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - other: The archive that contains the entry.
    /// - Returns: `true` if the recording contains the request.
    /// - Throws: Any error from ``HARArchive/entry(at:)``.
    func contain(_ index: Int, of other: HARArchive) throws(HARError) -> Bool {
        let request = try Self.request(at: index, of: other)
        let forms = [request] + (redaction.masked(request.request).map { [ComparedRequest($0)] } ?? [])
        return forms.contains { form in
            let digest = digest(of: form)
            guard digest != .unknown, let candidates = requests[digest] else { return false }
            return candidates.contains { matcher.passesTests(requested: $0, recorded: form) }
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
