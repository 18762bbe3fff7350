import Foundation
import HTTPArchive

extension ArchiveMerge {
    /// Returns the text of merged items, with commas and conflict markers.
    ///
    /// Choosing either version of each conflict results in valid JSON.
    ///
    /// - Parameters:
    ///   - outputs: The items.
    ///   - leads: The whitespace before the items of one version.
    ///   - trail: The whitespace before the closing bracket.
    /// - Returns: The text between the brackets of the list.
    func text(of outputs: [Output], _ leads: [ArraySlice<UInt8>], _ trail: ArraySlice<UInt8>) -> [UInt8] {
        // The comma after an item in conflict is between the markers, because a version may lack the item. After the
        // last item without a conflict, the comma precedes the item instead.
        let lastPlain = outputs.lastIndex { !$0.isConflict }
        let comma = [UInt8(ascii: ",")]
        var text: [UInt8] = []
        for (index, output) in outputs.enumerated() {
            var lead = (index == 0 ? leads.first : output.lead ?? leads.dropFirst().first ?? leads.first) ?? []
            if index > 0, outputs[index - 1].isConflict { lead = onNewLine(lead) }
            let isFollowed = index < lastPlain ?? (outputs.count - 1)
            switch output.content {
            case .text(let item):
                text += lead + item
                if isFollowed { text += output.tail + comma }
            case .conflict(let mine, let yours):
                let lineStart = lead.lastIndex(of: UInt8(ascii: "\n")).map { lead.index(after: $0) }
                let indentation = lineStart.map { lead[$0...] } ?? []
                func version(_ item: ArraySlice<UInt8>?) -> [UInt8] {
                    guard let item else { return [] }
                    let start = isFollowed || lastPlain == nil ? [] : comma
                    return indentation + start + item + (isFollowed ? comma : []) + lineBreak
                }
                text += lineStart.map { lead[..<$0] } ?? lineBreak[...]
                text += marker("<", "ours") + version(mine) + marker("=") + version(yours)
                text += marker(">", "theirs").dropLast(lineBreak.count)
            }
        }
        return text + (outputs.last?.isConflict == true ? onNewLine(trail) : trail)
    }

    /// Returns whitespace that begins with a line break, so that nothing follows a conflict marker in its line.
    private func onNewLine(_ whitespace: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        whitespace.starts(with: lineBreak) ? whitespace : lineBreak + whitespace
    }

    private func marker(_ character: Character, _ label: String? = nil) -> [UInt8] {
        let text = String(repeating: character, count: markerSize) + (label.map { " \($0)" } ?? "")
        return Array(text.utf8) + lineBreak
    }

    /// Returns text of their version with the line breaks of our version.
    ///
    /// Line breaks occur only between the values of JSON text.
    func adapted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard text.contains(feed) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for byte in text {
            if byte == feed {
                if result.last == carriage { result.removeLast() }
                result += lineBreak
            } else {
                result.append(byte)
            }
        }
        return result[...]
    }
}

extension ArchiveMerge {
    /// Chooses new identifiers for pages that their version added, if our version added another page with the same one.
    mutating func renamePages() {
        let lists = (Self.pages(of: base), Self.pages(of: ours), Self.pages(of: theirs))
        let known = Set(lists.0.map(\.id))
        var taken = Set((lists.1 + lists.2).map(\.id))
        for (id, page) in lists.2 where !known.contains(id) && renamedPages[id] == nil {
            guard let mine = lists.1.first(where: { $0.id == id }), !mine.page.isEquivalent(to: page) else { continue }
            var number = 2
            while !taken.insert("\(id)-\(number)").inserted { number += 1 }
            renamedPages[id] = "\(id)-\(number)"
        }
    }

    private static func pages(of text: [UInt8]) -> [(id: String, page: MergedItem)] {
        func value(_ name: String, in start: Int?) -> Int? {
            let items = start.flatMap { JSONItems(in: text, at: $0) }?.items.map { MergedItem($0, in: text) }
            return items?.first { $0.name == name }?.valueOffset
        }
        guard let start = value("pages", in: value("log", in: start(of: text))), text[start] == UInt8(ascii: "["),
            let list = JSONItems(in: text, at: start)
        else { return [] }
        return list.items.map { MergedItem($0, in: text) }.compactMap { page in
            page.value?.object?["id"]?.text.map { ($0, page) }
        }
    }

    /// Returns an item of their version with the new identifier of its page.
    func renamed(_ item: MergedItem, _ kind: MergedItem.Kind) -> MergedItem {
        guard !renamedPages.isEmpty, kind != .members else { return item }
        let text = Array(item.text)
        let name = kind == .pages ? "id" : "pageref"
        let member = JSONItems(in: text, at: 0)?.items.first {
            $0.name.map { text[$0].elementsEqual("\"\(name)\"".utf8) } ?? false
        }
        guard let range = member?.value, let id = (try? JSONValue(parsing: Data(text[range])))?.text,
            let new = renamedPages[id]
        else { return item }
        return item.replacing(range, with: JSONValue.text(new).data())
    }
}
