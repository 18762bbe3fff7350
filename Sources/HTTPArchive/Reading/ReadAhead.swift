import CPlatform
import Foundation

/// Decodes the entries of a file on all cores, and gives them in their order.
///
/// The file is divided where entries seem to begin, and each part is decoded by itself: by a decoder that takes it for
/// the start of the entries. A part that begins where an entry does, and at whose end that decoder stands between two
/// entries, is what a single decoder would have made of it, and the next part begins where an entry does. Whatever else
/// comes, also every error, ends the looking ahead: a single decoder goes on from the last entry.
///
/// What is decoded and not yet asked for is bounded, also where a single part is large.
final class ReadAhead: @unchecked Sendable {
    /// What comes next.
    enum Step {
        /// An event, and its place in the file.
        case event(HARScanner.LocatedEvent)

        /// The closing bracket of `entries` stands at that place.
        case end(Int)

        /// Only a decoder that reads from the last event on can tell.
        case undecided
    }

    /// How a part ended.
    private enum Ending {
        /// The next part goes on.
        case next

        /// The closing bracket of `entries` stands at that place.
        case closed(Int)

        case undecided
    }

    /// A stretch of the file that begins with an entry.
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

    /// The size of the pieces that are read, in bytes.
    private static let chunkSize = 1 << 17

    /// The most that may wait of a part, in bytes of the entries' text.
    private static let queueSize = 1 << 20

    private let file: InputFile
    private let limits: JSONScanner.Limits
    private let settings: Settings
    private let boundary: EntryBoundary?

    /// The place behind the opening bracket of `entries`.
    let start: Int

    /// Held while a part is being cut off; guards `rest`.
    private let cutting = NSLock()
    private var rest: Range<Int>

    /// Guards the parts and what is in them, and `isCancelled`; broadcasts every change.
    private let condition = NSCondition()
    private var parts: ArraySlice<Part> = []
    private var isCancelled = false
    private var runningThreads = 0

    // For the reader alone.
    private var taken: ArraySlice<HARScanner.LocatedEvent> = []
    private var count = 0
    private var hasStarted = false

    /// The place of the event given last, and the number of those before it; `nil` before the first.
    private(set) var last: (offset: Int, count: Int)?

    /// Prepares to decode.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: From behind the opening bracket of `entries` to the end of the file.
    ///   - limits: The limits of each entry, and for the number of entries.
    ///   - settings: The number of threads, and the sizes.
    /// - Throws: `unreadableFile`.
    init(
        into file: InputFile, at range: Range<Int>, limits: JSONScanner.Limits, settings: Settings
    ) throws(HARError) {
        self.file = file
        self.limits = limits
        self.settings = settings
        start = range.lowerBound
        boundary = try EntryBoundary(in: file, firstFrom: range.lowerBound)
        rest = range
    }

    /// Ends the threads; nothing may be asked for any more.
    func cancel() {
        condition.withLock {
            isCancelled = true
            parts = []
            condition.broadcast()
        }
    }

    /// Waits until the threads have ended.
    func waitForThreads() {
        condition.withLock {
            while runningThreads > 0 { condition.wait() }
        }
    }

    // MARK: For the reader

    /// The next event, or why there is none; waits for it if need be.
    func next() -> Step {
        startThreads()
        while true {
            if let (event, offset) = taken.popFirst() {
                guard count < limits.entryCount else { return .undecided }
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
                while let part = cut() { decode(part) }
                condition.withLock {
                    runningThreads -= 1
                    condition.broadcast()
                }
            }.start()
        }
    }

    /// Takes what is there of the first part; waits until there is something, or nothing will come.
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

    // MARK: For the threads

    /// Cuts off the next part when there is room for one more; `nil` when there is nothing left to decode.
    private func cut() -> Part? {
        cutting.withLock {
            guard !rest.isEmpty else { return nil }
            let hasRoom = condition.withLock {
                while parts.count > settings.threadCount, !isCancelled { condition.wait() }
                return !isCancelled
            }
            guard hasRoom else { return nil }
            // Where the file cannot be read, decoding the part says so.
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
        let decoder = HARDecoder(limits: limits, file: nil, countsLines: false)
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
            guard hand(events, to: part) else { return }
        }
        condition.withLock {
            part.ending = ending
            condition.broadcast()
        }
    }

    /// The events up to the end of the entries.
    private static func events(of decoder: HARDecoder) -> ([HARScanner.LocatedEvent], Ending?) {
        var events: [HARScanner.LocatedEvent] = []
        while true {
            do throws(HARError) {
                guard let event = try decoder.next(), let offset = decoder.eventOffset else { return (events, nil) }
                switch event {
                case .entry, .stray: events.append((event, offset))
                case .endEntries: return (events, .closed(offset))
                default: break
                }
            } catch {
                return (events, .undecided)
            }
        }
    }

    /// Hands events over, and waits while many wait; `false` when nobody wants them any more.
    private func hand(_ events: [HARScanner.LocatedEvent], to part: Part) -> Bool {
        condition.withLock {
            part.events += events
            for case (.entry(let entry), _) in events { part.size += entry.fields.byteRange?.count ?? 0 }
            condition.broadcast()
            while part.size > Self.queueSize, !isCancelled { condition.wait() }
            return !isCancelled
        }
    }
}

extension ReadAhead {
    /// How a file is decoded ahead.
    struct Settings {
        private static let maximumThreadCount = 8

        /// The number of threads; with one there is no looking ahead.
        var threadCount = min(Int(processors_available()), maximumThreadCount)

        /// The least size of a part in bytes.
        var partSize = 1 << 19

        /// The size of a file in bytes below which it is not worth it.
        var minimumFileSize = 1 << 21
    }
}
