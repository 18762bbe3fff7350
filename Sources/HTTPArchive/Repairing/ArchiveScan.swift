/// The entries and fields of the archives in a damaged file, found without changing it.
///
/// The file can contain several archives, with other text around them. Memory use is proportional to the number of
/// entries and the size of the fields outside the entries.
final class ArchiveScan {
    /// An entry that can be read.
    struct Entry {
        let start: Int
        let size: UInt32

        /// The index of its archive.
        let archive: Int32

        /// Whether its text is not strict JSON.
        let isEdited: Bool

        /// Whether it has a member `request`.
        let hasRequest: Bool

        var range: Range<Int> { start..<start + Int(size) }
    }

    /// A field outside the entries.
    struct Field {
        var member: JSONObject.Member

        /// The range of the value in the file.
        let range: Range<Int>

        /// The text of the value.
        let text: LenientText
    }

    /// An archive, without its entries.
    struct Archive {
        /// The fields of the log.
        ///
        /// Nil marks the position of `entries`.
        var fields: [Field?] = []

        /// The fields of the document.
        ///
        /// Nil marks the position of `log`.
        var documentFields: [Field?] = []

        /// The offset of the archive in the file.
        let offset: Int

        /// Whether fields were left out that the first archive does not have, or that differ from its fields.
        var hasOtherFields = false
    }

    /// A repair of the text around the entries.
    struct Change {
        let kind: RepairNote.Kind
        let offset: Int

        /// The number of entries before the repair.
        let entryIndex: Int
    }

    /// The maximum number of remembered changes, which limits memory use.
    private static let maximumChangeCount = 10_000

    /// The maximum number of brackets in other text that are tried as the start of an archive.
    private static let maximumAttemptCount = 100_000

    private(set) var entries: [Entry] = []
    var archives: [Archive] = []

    /// The ranges that are not valid, in order.
    private(set) var broken: [Range<Int>] = []

    /// The incomplete entries before a missing end.
    private(set) var incomplete: [Range<Int>] = []

    /// The changes of the text around the entries, in the order of the file.
    private(set) var changes: [Change] = []

    /// The number of further changes.
    private(set) var otherChangeCount = 0

    /// The offset of the first error that cannot be repaired, and the expected text.
    var failure: (offset: Int, expected: String)?

    let reader: LenientReader
    let search: EntrySearch

    /// The entries after the last complete one, which are kept if the text after them is valid.
    var pending: [Entry] = []

    private var fieldSize = 0
    private var fieldCount = 0

    /// Scans a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: The size of the file, in bytes.
    ///   - limits: The limits of the reader.
    /// - Throws: `notAnArchive` if the file contains no archive; `limitExceeded` or `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    init(of file: InputFile, size: Int, limits: JSONScanner.Limits) throws(HARError) {
        var valueLimits = limits
        // Entries are nested in a list, a log and a document.
        valueLimits.depth = max(1, limits.depth - 3)
        reader = LenientReader(file, size: size, limits: valueLimits)
        search = EntrySearch(file, size: size, limits: limits)
        reader.onEdit = { [unowned self] kind, offset in note(RepairNote.Kind(kind), at: offset) }
        try scan()
        reader.onEdit = { _, _ in }
    }

    private func scan() throws(HARError) {
        var attempts = 0
        while true {
            if let text = try reader.skipToBracket() { note(.surroundingText, at: text) }
            guard reader.offset < reader.size else { break }
            let start = reader.offset
            let changeCount = changes.count
            let isArchive = try reader.nextByte() == UInt8(ascii: "{") ? scanDocument() : scanArray()
            guard !isArchive else { continue }
            // The candidate was text, so its repairs do not count.
            changes.removeSubrange(changeCount...)
            note(.surroundingText, at: start)
            let end = max(reader.offset, start + 1)
            attempts += 1
            let isNested = attempts < Self.maximumAttemptCount
            let names = ["log", "entries"]
            // In text with millions of brackets, only a log or its entries are searched.
            let next = try reader.find(names, in: start + 1..<(isNested ? end : reader.size), afterBrace: true)
            reader.offset = next ?? (isNested ? end : reader.size)
        }
        guard archives.isEmpty else { return }
        throw HARError(
            .notAnArchive,
            "The file contains neither a log nor entries, so it cannot be repaired. Check that it is an HTTP archive.",
            at: .init(file: reader.file.name))
    }

    // MARK: Collecting

    /// Adds a change of the text around the entries.
    func note(_ kind: RepairNote.Kind, at offset: Int) {
        // Repeated changes at one position, such as thousands of commas, are one change.
        if let last = changes.last, last.kind == kind, last.entryIndex == entryCount { return }
        guard changes.count < Self.maximumChangeCount else {
            otherChangeCount += 1
            return
        }
        changes.append(Change(kind: kind, offset: offset, entryIndex: entryCount))
    }

    private var entryCount: Int { entries.count + pending.count }

    private func tooManyFields(_ noun: String, at offset: Int) -> HARError {
        JSONScanner.Limits.tooMany(
            reader.limits.fieldCount, noun, "maximumFieldCount", "--field-limit",
            at: .init(file: reader.file.name, byteOffset: offset))
    }

    /// Returns the error for an entry that exceeds the limit, or nil.
    private func limitError(at offset: Int) -> HARError? {
        let count = entries.count + broken.count
        guard !reader.limits.allows(entryCount: count + 1, upTo: offset) else { return nil }
        return JSONScanner.Limits.tooMany(
            count, "entries", "maximumEntryCount", "--entry-limit",
            at: .init(file: reader.file.name, byteOffset: offset))
    }

    /// Begins an archive, to which the following entries and fields belong.
    func begin(at offset: Int) throws(HARError) {
        guard archives.count < reader.limits.fieldCount else {
            throw tooManyFields("archives in one file", at: offset)
        }
        if !archives.isEmpty { note(.mergedArchive, at: offset) }
        archives.append(Archive(offset: offset))
    }

    /// Keeps the first pending entries, and discards the rest.
    func flush(_ count: Int? = nil) throws(HARError) {
        for entry in pending.prefix(count ?? pending.count) {
            if let error = limitError(at: entry.start) { throw error }
            entries.append(entry)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Marks a range as broken, excluding trailing separators.
    func markBroken(_ range: Range<Int>, isIncomplete: Bool) throws(HARError) {
        let end = try search.end(of: range)
        guard end > range.lowerBound else { return }
        if let error = limitError(at: range.lowerBound) { throw error }
        if isIncomplete { incomplete.append(range.lowerBound..<end) } else { broken.append(range.lowerBound..<end) }
        if failure == nil, !isIncomplete { failure = (range.lowerBound, "valid JSON") }
    }

    /// Reads the value of a field outside the entries.
    ///
    /// - Returns: Whether the value is valid.
    func readField(
        _ name: JSONString, into fields: WritableKeyPath<Archive, [Field?]>
    ) throws(HARError) -> Bool {
        guard let json = try reader.json() else { return false }
        let index = archives.count - 1
        let field = Field(member: .init(name: name, value: json.value), range: json.range, text: json.text)
        var target = index
        if index > 0, name != "pages" {
            // The fields of the first archive are kept, and fields that it does not have are added.
            let others = archives[0][keyPath: fields].compactMap(\.self).filter { $0.member.name == name }
            if others.contains(where: { $0.member == field.member }) { return true }
            if !others.isEmpty || name == "entries" || name == "log" {
                archives[index].hasOtherFields = true
                return true
            }
            target = 0
        }
        fieldCount += 1
        fieldSize += json.text.bytes.count
        guard fieldSize <= reader.limits.valueSize else {
            throw reader.limits.tooLarge(at: .init(file: reader.file.name, byteOffset: json.range.lowerBound))
        }
        guard fieldCount <= reader.limits.fieldCount else {
            throw tooManyFields("fields outside the entries", at: json.range.lowerBound)
        }
        archives[target][keyPath: fields].append(field)
        return true
    }
}
