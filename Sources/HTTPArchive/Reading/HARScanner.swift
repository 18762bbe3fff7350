/// Cuts an archive into events: enters the document, its `log` and its `entries`, and captures the rest.
final class HARScanner: JSONScanner {
    /// What is open of an archive.
    enum Level {
        case start, document, log, entries, end
    }

    /// How far an archive is whole: what was begun behind that is not complete.
    struct Extent {
        /// What is open there.
        var level = Level.start

        /// The place behind the last field, entry or bracket that is complete.
        var end = 0

        /// Whether nothing stands in what is open.
        var isAtOpening = true

        /// From the opening bracket of `entries`, behind it, to the end of the last entry; `nil` before them.
        var entries: Range<Int>?

        /// The place behind the last field of the log, and whether it has any; `nil` while it is open.
        var log: (end: Int, isEmpty: Bool)?
    }

    /// An event and its place in the file.
    typealias LocatedEvent = (event: HAREvent, offset: Int)

    /// The events since the last call of ``takeEvents()``.
    private var events: [LocatedEvent] = []
    private var level = Level.start

    /// How far the archive is whole.
    private(set) var extent = Extent()

    private var name: JSONString = ""
    private(set) var hasLog = false

    /// Whether the document has a `log` that is no object.
    private(set) var hasOtherLog = false

    /// The names of the document's first members, for saying what a file is that has no `log`.
    private(set) var documentNames: [String] = []

    private var hasEntries = false
    private var entryCount = 0
    private var fieldCount = 0
    private var fieldSize = 0

    /// The events since the last call.
    func takeEvents() -> [LocatedEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Counts values of `entries` that are not given.
    func skip(entries count: Int) { entryCount += count }

    /// Whether the last chunk ended between two values of `entries`, or before the first.
    var isBetweenEntries: Bool { level == .entries && !isCapturing && pendingSize == 0 }

    private static let anotherValue = HARError(.notAnArchive, "An archive is a JSON object; this is another value.")

    override func enters(_ kind: JSONToken.Kind) -> Bool {
        switch (level, kind) {
        case (.start, .object):
            level = .document
        case (.start, _):
            stop(Self.anotherValue)
        case (.document, .object) where name.text == "log" && !hasLog:
            level = .log
            hasLog = true
            events.append((.beginLog, lastEnd - 1))
        case (.log, .array) where name.text == "entries" && !hasEntries:
            level = .entries
            hasEntries = true
            events.append((.beginEntries, lastEnd - 1))
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

    override func leave(_ kind: JSONToken.Kind) {
        if level == .log { extent.log = (extent.end, extent.isAtOpening) }
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
        let value = source.root.value
        switch level {
        case .document where name == "log" && !hasLog:
            hasOtherLog = true
            fallthrough
        case .document, .log:
            fieldCount += 1
            fieldSize += source.bytes.count
            guard fieldSize <= limits.valueSize else { return stop(tooLarge(at: source.offset)) }
            guard fieldCount <= limits.fieldCount else {
                return stopAtLimit(of: limits.fieldCount, "fields of the log", "maximumFieldCount", source)
            }
            events.append((.field(JSONObject.Member(name: name, value: value)), source.offset))
            advance()
        case .entries:
            entryCount += 1
            guard entryCount <= limits.entryCount else {
                return stopAtLimit(of: limits.entryCount, "entries", "maximumEntryCount", source)
            }
            events.append((value.object.map { .entry(HAR.Entry(fields: $0)) } ?? .stray(value), source.offset))
            guard value.object != nil, let start = extent.entries?.lowerBound else { return }
            extent.entries = start..<lastEnd
            advance()
        case .start, .end: stop(Self.anotherValue)
        }
    }

    /// Notes that everything up to here is whole.
    private func advance(isAtOpening: Bool = false) {
        extent.level = level
        extent.end = lastEnd
        extent.isAtOpening = isAtOpening
    }

    private func stopAtLimit(of count: Int, _ title: String, _ setting: String, _ source: JSONSource) {
        stop(
            HARError(
                .limitExceeded, "More than \(count) \(title); raise \(setting) to read such a file.",
                at: .init(byteOffset: source.offset)))
    }
}

/// Captures one entry of an archive.
final class SingleEntryScanner: JSONScanner {
    private let index: Int

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - limits: The limits of the reader.
    ///   - index: The index of the entry in its archive.
    init(limits: Limits, index: Int) {
        self.index = index
        super.init(limits: limits)
    }

    /// Makes the parser stop with an error, which names the entry.
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
