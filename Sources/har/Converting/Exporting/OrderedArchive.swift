import HTTPArchive

/// An archive whose entries are taken in another order; each has the time of the place where it comes.
struct OrderedArchive {
    private let archive: HARArchive
    private let order: [Int]

    init(_ archive: HARArchive, order: [Int]) {
        self.archive = archive
        self.order = order
    }

    /// The entry that comes at a place; `nil` behind the last one.
    func next(_ place: Int) throws(HARError) -> HAR.Entry? {
        guard order.indices.contains(place) else { return nil }
        var entry = try archive.entry(at: order[place])
        if order[place] != place { entry.startedDateTime = try archive.entry(at: place).startedDateTime }
        return entry
    }
}
