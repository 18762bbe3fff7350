import HTTPArchive

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
