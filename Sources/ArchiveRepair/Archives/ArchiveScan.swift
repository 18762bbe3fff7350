import HTTPArchive

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

        /// The fields of HAR in it.
        let names: HARNames

        /// Whether it has a member `request`.
        var hasRequest: Bool { names.contains(.request) }

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

        /// Whether this is a list of entries without a log.
        var isBare = false

        var hasEntries: Bool { fields.contains { $0 == nil } }
    }

    /// The list of the fields of the log or of the document.
    typealias FieldList = WritableKeyPath<Archive, [Field?]>

    /// Text that is removed because it is not valid.
    struct BrokenText {
        /// The part of the archive that the text should be.
        enum Part {
            case entry, field

            /// An element of `entries` that is valid JSON, but not an object.
            case element
        }

        let range: Range<Int>
        let part: Part
    }

    /// The text after closing brackets.
    enum NextText { case entry, entryField, other }

    /// A repair of the text around the entries.
    struct Change {
        let kind: RepairNote.Kind

        /// The description, or nil for the one of the kind.
        let message: String?

        /// The changed field of the log, or nil if an entry or other text is changed.
        let field: String?
        let offset: Int

        /// The number of entries before the repair.
        let entryIndex: Int
    }

    /// The maximum number of remembered changes, which limits memory use.
    private static let maximumChangeCount = 10_000

    private(set) var entries: [Entry] = []
    var archives: [Archive] = []

    /// The text that is not valid, in order.
    private(set) var broken: [BrokenText] = []

    /// The number of elements of `entries` before the first broken text that are null.
    var nullCount = 0

    /// The incomplete entries before a missing end.
    private(set) var incomplete: [Range<Int>] = []

    /// The changes of the text around the entries, in the order of the file.
    private(set) var changes: [Change] = []

    /// The offsets of the changes of each kind.
    private var changeOffsets: [RepairNote.Kind: Set<Int>] = [:]

    /// The number of further changes, and the end of the last one.
    private(set) var otherChangeCount = 0
    private var otherChangeEnd = 0

    /// The offset of the first error that cannot be repaired, and the expected text.
    var failure: (offset: Int, expected: String)?

    let reader: LenientReader
    let limits: JSONScanner.Limits

    /// The name of the first member of the first entry as written, or nil before the first entry.
    var opening: [UInt8]?

    /// The error for the first entry that exceeds a limit of the reader, or nil.
    var limitFailure: HARError?

    /// The end of the text that was tried as the end of the entries.
    var triedEnd = 0

    /// The closing brackets and braces that were examined last, the last bracket among them, and the text after them.
    var brackets: (range: Range<Int>, last: Int?, next: NextText) = (0..<0, nil, .other)

    /// Whether an object must have a member `request` to be an entry: false if the file has no such name.
    lazy var needsRequest = (try? reader.contains(Array("request".utf8))) ?? true

    /// The entries after the last complete one, which are kept if the text after them is valid.
    var pending: [Entry] = []

    /// The fields of the first archive, by name.
    private var firstFields: [FieldList: [String: JSONValue]] = [:]

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
        self.limits = valueLimits
        reader = LenientReader(file, size: size, limits: valueLimits)
        reader.onEdit = { [unowned self] kind, offset in note(kind, at: offset) }
        try scan()
        reader.close()
    }

    private func scan() throws(HARError) {
        while true {
            if let text = try reader.skipToBracket() { note(.surroundingText, at: text) }
            let start = reader.offset
            guard start < reader.size else { break }
            let changeCount = changes.count
            let next = try reader.nextByte() == UInt8(ascii: "{") ? scanDocument() : scanArray()
            // Every step must move forward.
            guard let next = next ?? (reader.offset > start ? nil : start) else { continue }
            // The text was not an archive, so its repairs do not count.
            discardChanges(after: changeCount)
            note(.surroundingText, at: start)
            reader.offset = max(next, start + 1)
        }
        guard archives.isEmpty else { return }
        throw HARError(
            .notAnArchive,
            "The file contains neither a log nor entries, so it cannot be repaired. Check that it is an HTTP archive.",
            at: .init(file: reader.file.name))
    }

    // MARK: Collecting

    /// Adds a change of the text around the entries, unless it was added when the text was read before.
    func note(_ kind: RepairNote.Kind, _ message: String? = nil, in field: String? = nil, at offset: Int) {
        guard changes.count < Self.maximumChangeCount else {
            guard offset >= otherChangeEnd else { return }
            otherChangeCount += 1
            otherChangeEnd = offset + 1
            return
        }
        guard changeOffsets[kind, default: []].insert(offset).inserted else { return }
        changes.append(
            Change(kind: kind, message: message, field: field, offset: offset, entryIndex: entryCount))
    }

    /// Whether the file has no entries, except maybe in strings.
    var mayHaveEncodedEntries: Bool {
        let isText = archives.contains { archive in
            archive.fields.contains { $0?.member.name == "entries" && $0?.member.value.text != nil }
        }
        return entries.isEmpty && (isText || failure?.expected == "an object")
    }

    private var entryCount: Int { entries.count + pending.count }

    private func tooManyFields(_ noun: String, at offset: Int) -> HARError {
        JSONScanner.Limits.tooMany(
            limits.fieldCount, noun, "maximumFieldCount", "--field-limit",
            at: .init(file: reader.file.name, byteOffset: offset))
    }

    /// Throws if the next entry exceeds the limit.
    private func checkLimit(at offset: Int) throws(HARError) {
        let count = entries.count + broken.count
        guard limits.allows(entryCount: count + 1, upTo: offset) else {
            throw JSONScanner.Limits.tooMany(
                count, "entries", "maximumEntryCount", "--entry-limit",
                at: .init(file: reader.file.name, byteOffset: offset))
        }
    }

    /// Begins an archive, to which the following entries and fields belong.
    func begin(at offset: Int) throws(HARError) {
        guard archives.count < limits.fieldCount else {
            throw tooManyFields("archives in one file", at: offset)
        }
        if !archives.isEmpty { note(.mergedArchive, at: offset) }
        archives.append(Archive(offset: offset))
    }

    /// Removes the changes after the given number of changes, because they affect text that is not kept.
    func discardChanges(after count: Int) {
        while changes.count > count, let change = changes.popLast() {
            changeOffsets[change.kind]?.remove(change.offset)
        }
    }

    /// Keeps the first pending entries, and discards the rest.
    func flush(_ count: Int? = nil) throws(HARError) {
        for entry in pending.prefix(count ?? pending.count) {
            try checkLimit(at: entry.start)
            entries.append(entry)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Marks a range as broken, excluding trailing separators.
    func markBroken(_ range: Range<Int>, as part: BrokenText.Part, isIncomplete: Bool = false) throws(HARError) {
        let end = try reader.end(of: range)
        guard end > range.lowerBound else { return }
        try checkLimit(at: range.lowerBound)
        if isIncomplete {
            incomplete.append(range.lowerBound..<end)
        } else {
            broken.append(BrokenText(range: range.lowerBound..<end, part: part))
        }
        if failure == nil, !isIncomplete { failure = (range.lowerBound, "valid JSON") }
    }

    /// Reads the value of a field outside the entries.
    ///
    /// - Returns: The value if it cannot be read, or if its closing bracket is missing, because it contains entries.
    func readField(_ name: JSONString, to list: FieldList) throws(HARError) -> LenientReader.Value? {
        let value = try reader.value()
        if let error = reader.limitError(value) { throw error }
        guard value.failure == nil, value.innerEntry == nil || !HAR.fieldNames.contains(name.text) else {
            return value
        }
        guard let json = try reader.json(value) else { return nil }
        let index = archives.count - 1
        let field = Field(member: .init(name: name, value: json.value), range: value.range, text: json.text)
        let isMerged = index > 0 && name != "pages"
        if isMerged {
            // The fields of the first archive are kept, and fields that it does not have are added.
            let other = firstFields[list]?[name.text]
            if other == field.member.value { return nil }
            if other != nil || name == "entries" || name == "log" {
                archives[index].hasOtherFields = true
                return nil
            }
        }
        fieldCount += 1
        fieldSize += json.text.bytes.count
        guard fieldSize <= limits.valueSize else {
            throw limits.tooLarge(at: .init(file: reader.file.name, byteOffset: value.range.lowerBound))
        }
        guard fieldCount <= limits.fieldCount else {
            throw tooManyFields("fields outside the entries", at: value.range.lowerBound)
        }
        let target = isMerged ? 0 : index
        if target == 0 { firstFields[list, default: [:]][name.text] = field.member.value }
        archives[target][keyPath: list].append(field)
        return nil
    }
}
