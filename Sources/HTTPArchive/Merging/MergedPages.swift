/// The pages of several archives in one list, with an identifier each.
struct MergedPages {
    /// The pages that are new in an archive after the first, under their new identifiers.
    private(set) var added: [HAR.Page] = []

    /// For each archive, the new identifiers by those that are taken by pages of archives before it.
    private(set) var renamed: [[String: String]] = []

    /// The pages that archives have under one identifier, and what it is in the merged archive.
    private var known: [String: [(pages: [HAR.Page], id: String)]] = [:]
    private var taken: Set<String>

    /// Merges lists of pages.
    ///
    /// Pages of two archives that are equal are one page.
    ///
    /// - Parameter lists: The pages of each archive; the first ones keep their identifiers.
    init(_ lists: [[HAR.Page]]) {
        taken = Set(lists.joined().map(\.id))
        for (index, list) in lists.enumerated() { add(list, isFirst: index == 0) }
    }

    private mutating func add(_ list: [HAR.Page], isFirst: Bool) {
        let groups = Dictionary(grouping: list, by: \.id)
        var names: [String: String] = [:]
        var new: Set<String> = []
        for (id, pages) in groups where !id.isEmpty {
            if let equal = known[id]?.first(where: { $0.pages == pages }) {
                names[id] = equal.id
                continue
            }
            let name = known[id] == nil ? id : unusedName(for: id)
            known[id, default: []].append((pages, name))
            names[id] = name
            new.insert(id)
        }
        renamed.append(names.filter { $0.key != $0.value })
        guard !isFirst else { return }
        for var page in list where page.id.isEmpty || new.contains(page.id) {
            if let name = names[page.id], name != page.id { page.id = name }
            added.append(page)
        }
    }

    private mutating func unusedName(for id: String) -> String {
        var number = 2
        while !taken.insert("\(id)-\(number)").inserted { number += 1 }
        return "\(id)-\(number)"
    }
}
