#if Server
    import NIOCore

    /// Work that waits for a turn, with equal shares for all destinations.
    ///
    /// A request to one server does not wait for very many requests to another.
    struct FairWork {
        typealias Work = () -> Void

        /// The work for each destination.
        private var works: [Destination: LatestAndOldest<Work>] = [:]

        /// The destinations that have not had their turn since their work began to wait.
        private var fresh = LatestAndOldest<Destination>()

        /// The other destinations, in the order of their turns.
        private var others: CircularBuffer<Destination> = []

        /// Whether a fresh destination has the next turn.
        private var takesFresh = false

        var isEmpty: Bool { works.isEmpty }

        mutating func append(_ work: @escaping Work, for destination: Destination) {
            if works[destination] == nil { fresh.append(destination) }
            works[destination, default: LatestAndOldest()].append(work)
        }

        /// Takes the next work, or returns nil if all work waits.
        ///
        /// - Parameter isAllowed: Returns whether work for a destination does not have to wait; always by default.
        /// - Returns: The work.
        mutating func take(where isAllowed: (Destination) -> Bool = { _ in true }) -> Work? {
            takesFresh.toggle()
            if takesFresh || others.isEmpty, let destination = fresh.take() { others.prepend(destination) }
            for _ in 0..<others.count {
                let destination = others.removeFirst()
                others.append(destination)
                guard isAllowed(destination), let work = works[destination]?.take() else { continue }
                if works[destination]?.isEmpty ?? true {
                    works[destination] = nil
                    others.removeLast()
                }
                return work
            }
            return fresh.isEmpty ? nil : take(where: isAllowed)
        }

        /// Whether there is work for one of some destinations.
        func contains(where isAllowed: (Destination) -> Bool) -> Bool { works.keys.contains(where: isAllowed) }
    }

    /// Elements that are taken from both ends alternately, so the latest does not wait for all others.
    struct LatestAndOldest<Element> {
        private var elements: CircularBuffer<Element> = []
        private var takesLatest = false

        var isEmpty: Bool { elements.isEmpty }

        mutating func append(_ element: Element) { elements.append(element) }

        mutating func take() -> Element? {
            takesLatest.toggle()
            return takesLatest ? elements.popLast() : elements.popFirst()
        }
    }
#endif
