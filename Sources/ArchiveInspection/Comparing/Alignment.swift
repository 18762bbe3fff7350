/// The elements in which two sequences differ.
///
/// The smallest difference is computed if it does not take too long. In longer sequences, elements that occur once in
/// each sequence, in the same order, are aligned first.
struct Alignment {
    /// The maximum number of elements for which the smallest difference is computed.
    ///
    /// Elements that only one of the sequences has do not count.
    private static let limit = 2000

    /// The maximum depth of ranges between aligned elements.
    private static let maximumDepth = 8

    private let first: [Int]
    private let second: [Int]
    private var isRemoved: [Bool]
    private var isAdded: [Bool]

    /// Aligns two sequences.
    ///
    /// - Parameters:
    ///   - first: The first sequence.
    ///   - second: The second sequence.
    /// - Complexity: O(*n* log *n*) in the number of elements, plus the time for a limited number of elements.
    init<Element: Hashable>(_ first: [Element], _ second: [Element]) {
        var numbers: [Element: Int] = [:]
        numbers.reserveCapacity(max(first.count, second.count))
        func number(of element: Element) -> Int {
            let next = numbers.count
            return { (number: inout Int?) in
                let result = number ?? next
                number = result
                return result
            }(&numbers[element])
        }
        let firstNumbers = first.map(number)
        self.first = firstNumbers
        // Most elements are equal to those at the same position, and comparing them takes less time than hashing.
        self.second = second.enumerated().map { index, element in
            index < first.count && first[index] == element ? firstNumbers[index] : number(of: element)
        }
        isRemoved = [Bool](repeating: false, count: first.count)
        isAdded = [Bool](repeating: false, count: second.count)
        align(first.indices, second.indices, depth: 0)
    }

    /// Returns the positions of elements, in order.
    ///
    /// - Parameter includesEqual: Whether to include pairs of equal elements; `false` by default.
    /// - Returns: The positions in both sequences; nil if only the other one has the element.
    func steps(includesEqual: Bool = false) -> some Sequence<(first: Int?, second: Int?)> {
        sequence(state: (here: 0, there: 0)) { state in
            while state.here < first.count || state.there < second.count {
                let (here, there) = state
                let removes = here < first.count && isRemoved[here]
                let adds = there < second.count && isAdded[there]
                let areEqual = !removes && !adds
                if removes || areEqual { state.here += 1 }
                if adds || areEqual { state.there += 1 }
                if !areEqual || includesEqual {
                    return (removes || areEqual ? here : nil, adds || areEqual ? there : nil)
                }
            }
            return nil
        }
    }

    private mutating func align(_ here: Range<Int>, _ there: Range<Int>, depth: Int) {
        let start = zip(first[here], second[there]).prefix { $0 == $1 }.count
        let rest = (here.dropFirst(start), there.dropFirst(start))
        let end = zip(first[rest.0].reversed(), second[rest.1].reversed()).prefix { $0 == $1 }.count
        let (here, there) = (rest.0.dropLast(end), rest.1.dropLast(end))
        if here.isEmpty, there.isEmpty { return }
        let shared = Set(first[here]).intersection(second[there])
        let common = (here.filter { shared.contains(first[$0]) }, there.filter { shared.contains(second[$0]) })
        if common.0.count + common.1.count <= Self.limit {
            markDifference(of: here, there, sharing: common)
            return
        }
        let anchors = depth < Self.maximumDepth ? anchors(common) : []
        guard !anchors.isEmpty else { return markPositions(here, there) }
        var last = (here.lowerBound, there.lowerBound)
        for anchor in anchors {
            align(last.0..<anchor.first, last.1..<anchor.second, depth: depth + 1)
            last = (anchor.first + 1, anchor.second + 1)
        }
        align(last.0..<here.upperBound, last.1..<there.upperBound, depth: depth + 1)
    }

    /// Marks the smallest difference between ranges.
    private mutating func markDifference(of here: Range<Int>, _ there: Range<Int>, sharing common: ([Int], [Int])) {
        for index in here { isRemoved[index] = true }
        for index in there { isAdded[index] = true }
        for index in common.0 { isRemoved[index] = false }
        for index in common.1 { isAdded[index] = false }
        for change in common.1.map({ second[$0] }).difference(from: common.0.map { first[$0] }) {
            switch change {
            case .remove(let offset, _, _): isRemoved[common.0[offset]] = true
            case .insert(let offset, _, _): isAdded[common.1[offset]] = true
            }
        }
    }

    /// Marks the elements of ranges that differ from the element with the same position.
    private mutating func markPositions(_ here: Range<Int>, _ there: Range<Int>) {
        for offset in 0..<max(here.count, there.count) {
            let indices = (here.lowerBound + offset, there.lowerBound + offset)
            if indices.0 < here.upperBound, indices.1 < there.upperBound, first[indices.0] == second[indices.1] {
                continue
            }
            if indices.0 < here.upperBound { isRemoved[indices.0] = true }
            if indices.1 < there.upperBound { isAdded[indices.1] = true }
        }
    }

    /// Returns the longest sequence of elements that occur once in both sequences, in the same order.
    private func anchors(_ common: ([Int], [Int])) -> [(first: Int, second: Int)] {
        let indices = (
            Dictionary(grouping: common.0) { first[$0] }, Dictionary(grouping: common.1) { second[$0] }
        )
        let unique = common.0.compactMap { index -> (first: Int, second: Int)? in
            guard indices.0[first[index]]?.count == 1, let others = indices.1[first[index]], others.count == 1 else {
                return nil
            }
            return (index, others[0])
        }
        // The piles of patience sorting: the last element of the best sequence of each length.
        var piles: [Int] = []
        var previous = [Int?](repeating: nil, count: unique.count)
        for (number, pair) in unique.enumerated() {
            var (low, high) = (0, piles.count)
            while low < high {
                let middle = (low + high) / 2
                if unique[piles[middle]].second < pair.second { low = middle + 1 } else { high = middle }
            }
            previous[number] = low > 0 ? piles[low - 1] : nil
            if low < piles.count { piles[low] = number } else { piles.append(number) }
        }
        var anchors: [(first: Int, second: Int)] = []
        var last = piles.last
        while let number = last {
            anchors.append(unique[number])
            last = previous[number]
        }
        return anchors.reversed()
    }
}
