import Foundation
import HTTPArchive

/// A three-way merge of the versions of an archive on two branches, by entry, page and field.
///
/// An item that only one version changed, added or removed is taken from this version. Items that both versions changed
/// differently are conflicts; in the merged text, both versions of the item are between conflict markers. All other text of
/// our version is preserved byte for byte.
package struct ArchiveMerge {
    /// The merged text.
    package private(set) var text: [UInt8] = []

    /// The items in conflict: fields, pages, and entries with their method and URL.
    package private(set) var conflicts: [String] = []

    let base: [UInt8]
    let ours: [UInt8]
    let theirs: [UInt8]
    let markerSize: Int

    /// The line break of our version.
    let lineBreak: [UInt8]

    /// The new identifiers of pages that only their version added, keyed by the original identifiers.
    var renamedPages: [String: String] = [:]

    /// Merges two versions.
    ///
    /// All versions must be valid archives.
    ///
    /// - Parameters:
    ///   - base: The common ancestor, or empty text if the versions have none.
    ///   - ours: Our version.
    ///   - theirs: Their version.
    ///   - markerSize: The length of conflict markers.
    /// - Complexity: O(*n*) in the size of the versions; all of them are in memory.
    package init?(base: [UInt8], ours: [UInt8], theirs: [UInt8], markerSize: Int) {
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.markerSize = markerSize
        let firstBreak = ours.firstIndex(of: UInt8(ascii: "\n")) ?? 0
        lineBreak = Array((firstBreak > 0 && ours[firstBreak - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n").utf8)
        let starts = (Self.start(of: base), Self.start(of: ours), Self.start(of: theirs))
        guard let list = JSONItems(in: ours, at: starts.1), JSONItems(in: theirs, at: starts.2) != nil else {
            return nil
        }
        text += ours[..<starts.1]
        renamePages()
        text += merge(starts, .members, in: "") ?? []
        text += ours[list.end...]
    }

    /// Returns the offset of the document after a byte order mark and whitespace.
    static func start(of text: [UInt8]) -> Int {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return JSONItems.endOfWhitespace(in: text, from: text.starts(with: mark) ? mark.count : 0)
    }
}

extension ArchiveMerge {
    /// An item of the merged list.
    struct Output {
        /// The text, or both versions of an item in conflict; nil for a version that lacks the item.
        enum Content {
            case text(ArraySlice<UInt8>)
            case conflict(ours: ArraySlice<UInt8>?, theirs: ArraySlice<UInt8>?)
        }

        let content: Content

        /// The whitespace before the item, or nil for the same as before other items.
        var lead: ArraySlice<UInt8>?

        /// The whitespace between the item and the comma that follows it.
        var tail: ArraySlice<UInt8> = []

        var isConflict: Bool { if case .conflict = content { true } else { false } }
    }

    /// The items of a list in all versions, and the indices of those that are the same.
    private struct Versions {
        let old: [MergedItem]
        let mine: [MergedItem]
        let yours: [MergedItem]
        private(set) var mineToOld: [Int: Int] = [:]
        private(set) var yoursToOld: [Int: Int] = [:]
        private(set) var mineToYours: [Int: Int] = [:]
        private(set) var yoursToMine: [Int: Int] = [:]

        init(_ old: [MergedItem], _ mine: [MergedItem], _ yours: [MergedItem], _ kind: MergedItem.Kind) {
            (self.old, self.mine, self.yours) = (old, mine, yours)
            let (oldToMine, oldToYours) = (old.paired(with: mine, kind), old.paired(with: yours, kind))
            for index in old.indices {
                if let match = oldToMine[index] { mineToOld[match] = index }
                if let match = oldToYours[index] { yoursToOld[match] = index }
                if let mine = oldToMine[index], let yours = oldToYours[index] { mineToYours[mine] = yours }
            }
            let (added, others) = (
                mine.indices.filter { mineToOld[$0] == nil }, yours.indices.filter { yoursToOld[$0] == nil }
            )
            // Entries with the same request at different times are different entries.
            let matches = added.map { mine[$0] }.paired(with: others.map { yours[$0] }, kind, levels: 2)
            for (index, match) in zip(added, matches) { if let match { mineToYours[index] = others[match] } }
            for (index, match) in mineToYours { yoursToMine[match] = index }
        }
    }

    /// Merges the versions of a container, and returns its text.
    ///
    /// - Parameters:
    ///   - starts: The offsets of the opening brackets.
    ///   - kind: The content of the container.
    ///   - path: The name of the member that contains the container; empty for the document.
    /// - Returns: The text, or nil if our version or their version is not a container of this kind.
    private mutating func merge(_ starts: (Int, Int, Int), _ kind: MergedItem.Kind, in path: String) -> [UInt8]? {
        guard let list = JSONItems(in: ours, at: starts.1), let other = JSONItems(in: theirs, at: starts.2),
            ours[starts.1] == theirs[starts.2], kind == .members || ours[starts.1] == UInt8(ascii: "[")
        else { return nil }
        let versions = Versions(
            (JSONItems(in: base, at: starts.0)?.items ?? []).map { MergedItem($0, in: base) },
            list.items.map { MergedItem($0, in: ours) },
            other.items.map { renamed(MergedItem($0, in: theirs), kind) }, kind)
        let outputs = outputs(of: versions, insertions(of: versions, kind, in: path), kind, in: path)
        let leads = versions.mine.isEmpty ? versions.yours.map { adapted($0.lead) } : versions.mine.map(\.lead)
        let trail = versions.mine.isEmpty && !outputs.isEmpty ? adapted(theirs[other.trail]) : ours[list.trail]
        return [ours[starts.1]] + text(of: outputs, leads, trail) + [ours[list.end - 1]]
    }

    /// Returns the items that only their version has, keyed by the index of the item in our version that they follow.
    private mutating func insertions(
        of versions: Versions, _ kind: MergedItem.Kind, in path: String
    ) -> [Int: [(output: Output, time: Date)]] {
        var insertions: [Int: [(output: Output, time: Date)]] = [:]
        var (anchor, time) = (-1, Date.distantPast)
        for (index, item) in versions.yours.enumerated() {
            if let match = versions.yoursToMine[index] {
                (anchor, time) = (match, .distantPast)
                continue
            }
            let old = versions.yoursToOld[index].map { versions.old[$0] }
            guard let content = content(old, nil, item, kind, in: path) else { continue }
            if kind != .members { time = item.time ?? time }
            insertions[anchor, default: []].append((Output(content: content), time))
        }
        return insertions
    }

    /// Returns the merged items.
    ///
    /// The order is the one in our version. Consecutive items that only one of the versions has are ordered by time.
    private mutating func outputs(
        of versions: Versions, _ insertions: [Int: [(output: Output, time: Date)]], _ kind: MergedItem.Kind,
        in path: String
    ) -> [Output] {
        var outputs: [Output] = []
        var pending = insertions[-1] ?? []
        for (index, item) in versions.mine.enumerated() {
            let (old, yours) = (versions.mineToOld[index], versions.mineToYours[index])
            let others = (old.map { versions.old[$0] }, yours.map { versions.yours[$0] })
            let content = content(others.0, item, others.1, kind, in: path)
            if old == nil, yours == nil, kind != .members, !pending.isEmpty {
                let time = item.time ?? .distantPast
                let later = pending.firstIndex { $0.time >= time } ?? pending.count
                outputs += pending[..<later].map(\.output)
                pending.removeFirst(later)
            } else if content != nil {
                outputs += pending.map(\.output)
                pending = []
            }
            if let content {
                outputs.append(Output(content: content, lead: index > 0 ? item.lead : nil, tail: item.tail))
            }
            pending += insertions[index] ?? []
        }
        return outputs + pending.map(\.output)
    }

    /// Returns the merged versions of an item, or nil if the item is removed.
    private mutating func content(
        _ old: MergedItem?, _ mine: MergedItem?, _ yours: MergedItem?, _ kind: MergedItem.Kind, in path: String
    ) -> Output.Content? {
        guard let mine, let yours else {
            guard let item = mine ?? yours else { return nil }
            if let old {
                return old.isEquivalent(to: item) ? nil : conflict(mine, yours, kind, in: path)
            }
            return .text(mine == nil ? adapted(item.text) : item.text)
        }
        if TextKey(mine.text) == TextKey(yours.text) { return .text(mine.text) }
        if kind == .members, let inner = inner(of: mine.name, in: path) {
            let starts = (old?.valueOffset ?? base.count, mine.valueOffset, yours.valueOffset)
            if let merged = merge(starts, inner, in: mine.name) {
                return .text(mine.text[..<mine.valueOffset] + merged)
            }
        }
        if let old, TextKey(old.text) == TextKey(mine.text) { return .text(adapted(yours.text)) }
        if let old, TextKey(old.text) == TextKey(yours.text) { return .text(mine.text) }
        if let old, old.isEquivalent(to: mine) { return .text(adapted(yours.text)) }
        if mine.isEquivalent(to: yours) || old?.isEquivalent(to: yours) == true { return .text(mine.text) }
        // Two new archives keep the description of the tool that wrote ours.
        if old == nil, path == "log", ["version", "creator", "browser"].contains(mine.name) { return .text(mine.text) }
        return conflict(mine, yours, kind, in: path)
    }

    /// Returns the content of a member that is merged item by item, or nil for any other member.
    private func inner(of name: String, in path: String) -> MergedItem.Kind? {
        switch (path, name) {
        case ("", "log"): .members
        case ("log", "pages"): .pages
        case ("log", "entries"): .entries
        default: nil
        }
    }

    private mutating func conflict(
        _ mine: MergedItem?, _ yours: MergedItem?, _ kind: MergedItem.Kind, in path: String
    ) -> Output.Content {
        let item = mine ?? yours
        let name = kind == .members ? "field \(item?.name ?? "")" : item?.label(kind) ?? "an entry"
        conflicts.append(mine == nil || yours == nil ? "\(name), removed in \(mine == nil ? "ours" : "theirs")" : name)
        return .conflict(ours: mine?.text, theirs: yours.map { adapted($0.text) })
    }
}
