import Foundation

/// Tells whether the entries stand in the order of their times.
struct EntryOrder {
    private var last: Date?
    private var count = 0
    private var first: (index: Int, offset: Int?)?

    /// Takes the next entry.
    mutating func take(_ entry: HAR.Entry, index: Int) {
        guard let date = entry.startedDate else { return }
        if let last, date < last {
            count += 1
            if first == nil { first = (index, entry.fields.byteRange?.lowerBound) }
        }
        last = date
    }

    /// What is to be said at the end.
    var finding: HARFinding? {
        guard let first else { return nil }
        let rest = count == 1 ? "" : ", and so did \(count - 1) more"
        return HARFinding(
            severity: .note, rule: .entriesNotInOrder, pointer: HARChecker.pointer(ofEntry: first.index),
            byteOffset: first.offset,
            message: "The entry began before the one in front of it\(rest); HAR 1.2 prefers the oldest first.")
    }
}
