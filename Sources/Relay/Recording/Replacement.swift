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

/// What tells an entry from the others of its archive, also when the archive was written anew.
struct EntryIdentity: Hashable, Sendable {
    let method: String
    let url: String
    let startedDateTime: String

    /// The page, which tells the entries of tests apart that have the same request and, if repeatable, the same time.
    let pageref: String?
}

extension EntryIdentity {
    /// The identity of an entry that was read.
    init(of entry: HAR.Entry) {
        let request = entry.request
        self.init(
            method: request.method, url: request.url, startedDateTime: entry.startedDateTime, pageref: entry.pageref)
    }
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
