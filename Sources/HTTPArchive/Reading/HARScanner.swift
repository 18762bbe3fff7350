/// A scanner that splits an archive into events.
///
/// The scanner enters the document, its `log` and its `entries`, and captures all other values.
final class HARScanner: JSONScanner {
    /// The innermost open container of the archive.
    enum Level {
        case start, document, log, entries, end
    }

    /// The complete part of an archive.
    struct Extent {
        /// The innermost container that is open at the end of the complete part.
        var level = Level.start

        /// The offset after the last complete field, entry or bracket.
        var end = 0

        /// Whether the innermost open container is still empty.
        var isAtOpening = true

        /// The range from the opening bracket of `entries` (exclusive) to the end of the last entry, or nil before the
        /// bracket.
        var entries: Range<Int>?

        /// The offset after the last field of the log, and whether the log is empty; nil until the log is closed.
        var log: (end: Int, isEmpty: Bool)?
    }

    /// An event and its offset in the file.
    typealias LocatedEvent = (event: HAREvent, offset: Int)

    /// The events since the last call to ``takeEvents()``.
    private var events: [LocatedEvent] = []
    private var level = Level.start

    /// The complete part of the archive.
    private(set) var extent = Extent()

    private var name: JSONString = ""
    private(set) var hasLog = false

    /// The kind of the value of `log` if it is not an object, or nil if no such member was found.
    private(set) var otherLogKind: JSONToken.Kind?

    /// The names of the first members of the document, for an error message about a missing `log`.
    private(set) var documentNames: [String] = []

    /// The members of the log and of the document so far, with empty placeholders for `entries` and `log`.
    private(set) var logMembers: [JSONObject.Member] = []
    private(set) var documentMembers: [JSONObject.Member] = []

    private var hasEntries = false

    /// The kind and the offset of the first value of `entries` that is not an array.
    private var otherEntries: (kind: JSONToken.Kind, offset: Int)?

    /// The kind and the offset of the first element of `entries`, if no element so far is an object.
    private var otherElement: (kind: JSONToken.Kind, offset: Int)?
    private var misspelledEntries: (name: String, offset: Int)?
    private var entryCount = 0
    private var fieldCount = 0
    private var fieldSize = 0

    /// Returns the events since the last call.
    func takeEvents() -> [LocatedEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// The error for a log without an array of entries, and for an array of other values; nil if the log has entries.
    var missingEntries: HARError? {
        let (expected, found, path) =
            if let otherElement {
                ("an object as an element of `entries`", otherElement.kind.title, ["log", "entries", "0"])
            } else if let otherEntries, !hasEntries {
                ("an array as the value of `entries` in `log`", otherEntries.kind.title, ["log", "entries"])
            } else {
                ("an array as the value of `entries` in `log`", "no such field", ["log"])
            }
        guard !hasEntries || otherElement != nil else { return nil }
        let option = otherElement.map { $0.kind == .null ? "" : " --broken drop" } ?? ""
        return HARError(
            .notAnArchive, "Expected \(expected), found \(found). Repair the file with `har repair\(option)`.",
            at: .init(pointer: JSONPointer(path), byteOffset: (otherElement ?? otherEntries)?.offset))
    }

    /// Counts values of `entries` that were not decoded.
    func skip(entries count: Int) { entryCount += count }

    /// Whether the last chunk ended between two values of `entries`, or before the first one.
    var isBetweenEntries: Bool { level == .entries && !isCapturing && pendingSize == 0 }

    /// Returns the error for a document that is not an object.
    private static func notAnObject(_ kind: JSONToken.Kind) -> HARError {
        HARError(.notAnArchive, "Expected an object with a `log`, found \(kind.title). Specify a HAR file.")
    }

    override func enters(_ kind: JSONToken.Kind) -> Bool {
        switch (level, kind) {
        case (.start, .object):
            level = .document
        case (.start, _):
            stop(Self.notAnObject(kind))
        case (.document, .object) where name.text == "log" && !hasLog:
            level = .log
            hasLog = true
            events.append((.beginLog, lastEnd - 1))
            documentMembers.append(JSONObject.Member(name: "log", value: [:]))
        case (.log, .array) where name.text == "entries" && !hasEntries:
            level = .entries
            hasEntries = true
            events.append((.beginEntries, lastEnd - 1))
            logMembers.append(JSONObject.Member(name: "entries", value: []))
        default:
            return false
        }
        if level == .entries { extent.entries = lastEnd..<lastEnd }
        advance(isAtOpening: true)
        return true
    }

    override var enteredContainer: JSONToken.Kind? {
        switch level {
        case .document, .log: .object
        case .entries: .array
        case .start, .end: nil
        }
    }

    override func part(of mistake: JSONSyntaxError) -> (title: String?, pointer: JSONPointer?) {
        guard level == .entries else { return (nil, nil) }
        let isWithin = isCapturing || mistake.isValue
        guard isWithin || entryCount > 0 else { return (nil, JSONPointer(["log", "entries"])) }
        let index = isWithin ? entryCount : entryCount - 1
        return ("\(isWithin ? "in" : "after") entry \(index)", JSONPointer(["log", "entries", String(index)]))
    }

    override func isPrintable(_ name: String) -> Bool { HAR.fieldNames.contains(name) }

    override func leave() {
        if level == .log {
            extent.log = (extent.end, extent.isAtOpening)
            if let (name, offset) = misspelledEntries, !hasEntries {
                return stop(MisspelledEntries.error(name, at: offset))
            }
        }
        defer { advance() }
        switch level {
        case .entries:
            level = .log
            events.append((.endEntries, lastEnd - 1))
        case .log:
            level = .document
            events.append((.endLog, lastEnd - 1))
        default:
            level = .end
        }
    }

    override func name(_ name: JSONString) {
        self.name = name
        if level == .document, documentNames.count < 5 { documentNames.append(name.text) }
    }

    override func capture(_ source: JSONSource) {
        switch level {
        case .document where name == "log" && !hasLog:
            otherLogKind = source.root.kind
            fallthrough
        case .document, .log:
            fieldCount += 1
            fieldSize += Limits.size(of: source.bytes.count, tokens: source.tokens.count)
            guard fieldSize <= limits.valueSize else { return stop(tooLarge(at: source.offset)) }
            guard fieldCount <= limits.fieldCount else {
                let noun = limits.fieldCount == 1 ? "field" : "fields"
                return stop(
                    Limits.tooMany(
                        limits.fieldCount, "\(noun) outside the entries", "maximumFieldCount", "--field-limit",
                        at: .init(byteOffset: source.offset)))
            }
            let member = JSONObject.Member(name: name, value: source.root.value)
            if level == .log, name == "entries", otherEntries == nil {
                otherEntries = (source.root.kind, source.offset)
            }
            if level == .log, MisspelledEntries.isMisspelled(member) { misspelledEntries = (name.text, source.offset) }
            events.append((.field(member), source.offset))
            if level == .log { logMembers.append(member) } else { documentMembers.append(member) }
            advance()
        case .entries:
            entryCount += 1
            guard limits.allows(entryCount: entryCount, upTo: lastEnd) else {
                let noun = entryCount == 2 ? "entry" : "entries"
                return stop(
                    Limits.tooMany(
                        entryCount - 1, noun, "maximumEntryCount", "--entry-limit",
                        at: .init(byteOffset: source.offset)))
            }
            guard let fields = source.object(at: 0), let start = extent.entries?.lowerBound else {
                events.append((.unexpectedValue(source.root.value), source.offset))
                if entryCount == 1 { otherElement = (source.root.kind, source.offset) }
                return
            }
            events.append((.entry(HAR.Entry(fields: fields)), source.offset))
            otherElement = nil
            extent.entries = start..<lastEnd
            advance()
        case .start, .end: stop(Self.notAnObject(source.root.kind))
        }
    }

    /// Marks everything scanned so far as complete.
    private func advance(isAtOpening: Bool = false) {
        extent.level = level
        extent.end = lastEnd
        extent.isAtOpening = isAtOpening
    }
}

/// A scanner that captures a single entry of an archive.
final class SingleEntryScanner: JSONScanner {
    private let index: Int

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - limits: The limits of the reader.
    ///   - index: The index of the entry.
    init(limits: Limits, index: Int) {
        self.index = index
        super.init(limits: limits)
    }

    /// Stops the parser with an error that points to the entry.
    override func stop(_ error: HARError) {
        var context = error.context
        context.pointer = pointer
        super.stop(HARError(error.code, error.message, at: context, underlying: error.underlying))
    }

    override func part(of mistake: JSONSyntaxError) -> (title: String?, pointer: JSONPointer?) {
        ("in entry \(index)", pointer)
    }

    override func isPrintable(_ name: String) -> Bool { HAR.fieldNames.contains(name) }

    private var pointer: JSONPointer { JSONPointer(["log", "entries", String(index)]) }
}

/// Detects a field of the log whose name is probably a misspelling of `entries`.
///
/// Without this check, an archive with a misspelled field would be read as an archive without entries.
package enum MisspelledEntries {
    /// Returns whether a field's name differs from `entries` in at most two letters, and its value is an empty array or
    /// an array of objects.
    ///
    /// Custom fields, whose names begin with an underscore, are never considered misspelled.
    static func isMisspelled(_ member: JSONObject.Member) -> Bool {
        guard let elements = member.value.array, elements.isEmpty || elements.first?.object != nil else { return false }
        return isMisspelled(member.name.text)
    }

    /// Returns whether a name differs from `entries` in at most two letters.
    package static func isMisspelled(_ name: String) -> Bool {
        guard name != "entries", !name.hasPrefix("_"), name.utf8.count < 20 else { return false }
        return EditDistance.distance(name.lowercased(), "entries") <= 2
    }

    /// Returns the error for a field whose value is at an offset in the file.
    static func error(_ name: String, at offset: Int) -> HARError {
        HARError(
            .notAnArchive, "Expected `entries` in `log`, found `\(name)`. Correct the name.",
            at: .init(pointer: JSONPointer(["log", name]), byteOffset: offset))
    }
}
