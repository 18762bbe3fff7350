/// What a table holds of each entry, besides texts.
struct EntryRow: Sendable {
    /// The number that stands for no name.
    static let noName = UInt16.max

    var start = 0
    var textStart = 0
    var time = -1.0
    var size = -1
    var length: UInt32 = 0
    var urlLength: UInt32 = 0
    var status: Int32 = 0
    var pageref = NameTable.none
    var method = noName
    var mimeType = noName
    var resourceType = noName
    var startedLength: UInt8 = 0
    var isFailed = false

    /// Creates a row that says nothing.
    init() {}

    /// Creates the row of an entry; `nil` when something of it does not fit.
    ///
    /// - Parameters:
    ///   - draft: The entry.
    ///   - end: The place after it.
    ///   - textStart: The place of its URL and its time among the texts of its chunk.
    init?(_ draft: borrowing EntryDraft, endingAt end: Int, textStart: Int) {
        guard let length = UInt32(exactly: end - draft.start), let urlLength = UInt32(exactly: draft.url.count),
            let status = Int32(exactly: draft.status),
            let startedLength = UInt8(exactly: draft.startedDateTime.count),
            let method = Self.number(draft.method), let mimeType = Self.number(draft.mimeType),
            let resourceType = Self.number(draft.resourceType)
        else { return nil }
        start = draft.start
        self.textStart = textStart
        time = draft.time
        size = draft.size
        self.length = length
        self.urlLength = urlLength
        self.status = status
        pageref = draft.pageref
        self.method = method
        self.mimeType = mimeType
        self.resourceType = resourceType
        self.startedLength = startedLength
        isFailed = draft.isFailed
    }

    private static func number(_ name: UInt32) -> UInt16? {
        if name == NameTable.none { return noName }
        return name < noName ? UInt16(name) : nil
    }
}
