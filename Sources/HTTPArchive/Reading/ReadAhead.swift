import CPlatform
import Foundation

/// Decodes the entries of a file on several cores, and returns them in order.
///
/// The file is split into parts where an entry probably starts. A separate decoder decodes each part as if the part
/// followed the opening bracket of `entries`. If a part begins with an entry and its decoder ends between two entries,
/// a sequential decoder would return the same entries for the part, and the next part also begins with an entry. In all
/// other cases, including errors, the read-ahead ends, and a sequential decoder continues from the last entry.
///
/// The memory for decoded events is limited, regardless of the size of a part.
final class ReadAhead: @unchecked Sendable {
    /// The result of ``next()``.
    enum Step {
        /// The next event and its offset in the file.
        case event(HARScanner.LocatedEvent)

        /// The closing bracket of `entries` is at this offset.
        case end(Int)

        /// Undecided: the sequential decoder must continue from the last event.
        case undecided
    }

    /// The result at the end of a part.
    private enum Ending {
        /// The entries continue in the next part.
        case next

        /// The closing bracket of `entries` is at this offset.
        case closed(Int)

        case undecided
    }

    /// A part of the file that probably begins with an entry.
    private final class Part {
        let range: Range<Int>
        let isLast: Bool
        var events: [HARScanner.LocatedEvent] = []
        var size = 0
        var ending: Ending?

        init(_ range: Range<Int>, isLast: Bool) {
            self.range = range
            self.isLast = isLast
        }
    }

    /// The number of bytes to read at once.
    private static let chunkSize = 1 << 16

    /// The estimated memory that an event needs in addition to its text, in bytes.
    private static let eventSize = 256

    /// The maximum size of a part's pending events, in bytes.
    private static let queueSize = 1 << 20

    private let file: InputFile
    private let limits: JSONScanner.Limits

    /// The limits of each decoder.
    ///
    /// All decoders together use no more memory than the sequential decoder, which decodes entries that exceed these
    /// limits.
    private var partLimits: JSONScanner.Limits
    private let settings: Settings
    private let boundary: EntryBoundary?

    /// The offset after the opening bracket of `entries`.
    let start: Int

    /// Guards `rest`; held while a thread determines the next part.
    private let partLock = NSLock()
    private var rest: Range<Int>

    /// Guards `isCancelled`, `runningThreads`, and the parts with their contents; broadcast after every change.
    private let condition = NSCondition()
    private var parts: ArraySlice<Part> = []
    private var isCancelled = false
    private var runningThreads = 0

    // Only the thread that calls `next()` uses the following properties.
    private var taken: ArraySlice<HARScanner.LocatedEvent> = []
    private var count = 0
    private var hasStarted = false

    /// The offset of the last returned event, and the number of events before it, or nil before the first event.
    private(set) var last: (offset: Int, count: Int)?

    /// Creates a read-ahead.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: The range from the opening bracket of `entries` (exclusive) to the end of the file.
    ///   - limits: The limits on each entry and on the number of entries.
    ///   - settings: The number of threads and the sizes.
    /// - Throws: `unreadableFile`.
    init(
        into file: InputFile, at range: Range<Int>, limits: JSONScanner.Limits, settings: Settings
    ) throws(HARError) {
        self.file = file
        self.limits = limits
        self.settings = settings
        partLimits = limits
        partLimits.valueSize /= settings.threadCount
        start = range.lowerBound
        boundary = try EntryBoundary(in: file, firstFrom: range.lowerBound)
        rest = range
    }

    /// Stops the threads.
    ///
    /// Do not call ``next()`` afterward.
    func cancel() {
        condition.withLock {
            isCancelled = true
            parts = []
            condition.broadcast()
        }
    }

    /// Waits until all threads have ended.
    func waitForThreads() {
        condition.withLock {
            while runningThreads > 0 { condition.wait() }
        }
    }

    // MARK: Reading results

    /// Returns the next result; blocks until it is available.
    func next() -> Step {
        startThreads()
        while true {
            if let (event, offset) = taken.popFirst() {
                guard limits.allows(entryCount: count + 1, upTo: offset) else { return .undecided }
                last = (offset, count)
                count += 1
                return .event((event, offset))
            }
            switch take() {
            case .next, nil: break
            case .closed(let offset): return .end(offset)
            case .undecided: return .undecided
            }
        }
    }

    private func startThreads() {
        guard !hasStarted else { return }
        hasStarted = true
        condition.withLock { runningThreads = settings.threadCount }
        for _ in 0..<settings.threadCount {
            Thread { [self] in
                while let part = nextPart() { decode(part) }
                condition.withLock {
                    runningThreads -= 1
                    condition.broadcast()
                }
            }.start()
        }
    }

    /// Takes the available events of the first part; blocks until events are available or the part has ended.
    private func take() -> Ending? {
        condition.withLock {
            while true {
                if let part = parts.first {
                    if !part.events.isEmpty {
                        taken = part.events[...]
                        part.events = []
                        part.size = 0
                        condition.broadcast()
                        return nil
                    }
                    if let ending = part.ending {
                        parts.removeFirst()
                        condition.broadcast()
                        return ending
                    }
                } else if runningThreads == 0 {
                    return .undecided
                }
                condition.wait()
            }
        }
    }

    // MARK: Decoding on threads

    /// Returns the next part when there is room for it, or nil if no parts remain or the read-ahead was canceled.
    private func nextPart() -> Part? {
        partLock.withLock {
            guard !rest.isEmpty else { return nil }
            let hasRoom = condition.withLock {
                while parts.count > settings.threadCount, !isCancelled { condition.wait() }
                return !isCancelled
            }
            guard hasRoom else { return nil }
            // A read error is ignored here, because it occurs again when the part is decoded.
            let next = rest.lowerBound + settings.partSize
            let found = next < rest.upperBound ? (try? boundary?.find(from: next)) ?? nil : nil
            let end = min(found ?? rest.upperBound, rest.upperBound)
            let part = Part(rest.lowerBound..<end, isLast: end == rest.upperBound)
            rest = end..<rest.upperBound
            condition.withLock {
                parts.append(part)
                condition.broadcast()
            }
            return part
        }
    }

    private static let head = Array(#"{"log":{"entries":["#.utf8)

    private func decode(_ part: Part) {
        let decoder = HARDecoder(limits: partLimits, file: nil, countsLines: false)
        Self.head.withUnsafeBytes { decoder.feed($0) }
        decoder.skip(part.range.lowerBound - Self.head.count)
        var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
        var offset = part.range.lowerBound
        var ending = Ending?.none
        while ending == nil {
            let wanted = min(Self.chunkSize, part.range.upperBound - offset)
            if wanted == 0 {
                ending = part.isLast || !decoder.isBetweenEntries ? .undecided : .next
                break
            }
            guard let count = try? file.fill(&buffer, at: offset), count > 0 else {
                ending = .undecided
                break
            }
            offset += min(count, wanted)
            buffer.withUnsafeBytes { decoder.feed($0[from: 0, to: min(count, wanted)]) }
            let (events, end) = Self.events(of: decoder)
            ending = end
            guard append(events, to: part) else { return }
        }
        condition.withLock {
            part.ending = ending
            condition.broadcast()
        }
    }

    /// Returns the available events up to the end of `entries`.
    private static func events(of decoder: HARDecoder) -> ([HARScanner.LocatedEvent], Ending?) {
        var events: [HARScanner.LocatedEvent] = []
        while true {
            do throws(HARError) {
                guard let event = try decoder.next(), let offset = decoder.eventOffset else { return (events, nil) }
                switch event {
                case .entry, .unexpectedValue: events.append((event, offset))
                case .endEntries: return (events, .closed(offset))
                default: break
                }
            } catch {
                return (events, .undecided)
            }
        }
    }

    /// Appends events to a part, and blocks while too many are pending; returns false if the read-ahead was canceled.
    private func append(_ events: [HARScanner.LocatedEvent], to part: Part) -> Bool {
        condition.withLock {
            part.events += events
            for case (.entry(let entry), _) in events {
                part.size += Self.eventSize + (entry.fields.byteRange?.count ?? 0)
            }
            condition.broadcast()
            while part.size > Self.queueSize, !isCancelled { condition.wait() }
            return !isCancelled
        }
    }
}

extension ReadAhead {
    /// The settings of a read-ahead.
    struct Settings {
        private static let maximumThreadCount = 8

        /// The number of threads; 1 disables read-ahead.
        var threadCount = min(Int(processors_available()), maximumThreadCount)

        /// The minimum size of a part, in bytes.
        var partSize = 1 << 19

        /// The size in bytes below which a file is decoded sequentially.
        var minimumFileSize = 1 << 21
    }
}
