/// The location and kind of a difference between two JSON values, without the values themselves.
package struct JSONDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Kind: Hashable, Sendable {
        /// The member or element exists only in the other value.
        case missingHere

        /// The member or element exists only in this value.
        case missingThere

        /// Both values have the same type but differ.
        case otherValue

        /// The values have different types.
        case otherType
    }

    /// The location.
    package let pointer: JSONPointer

    /// The kind of the difference.
    package let kind: Kind

    /// Creates a difference.
    ///
    /// - Parameters:
    ///   - pointer: The location.
    ///   - kind: The kind of the difference.
    package init(pointer: JSONPointer, kind: Kind) {
        self.pointer = pointer
        self.kind = kind
    }
}

extension JSONValue {
    /// Returns the differences between this value and another.
    ///
    /// The result is empty if and only if both values have the same canonical text. Differences are ordered by element
    /// index and by member name. Elements are compared by index.
    ///
    /// - Parameters:
    ///   - other: The other value.
    ///   - ignored: Pointers to the values to ignore. `*` matches any name or index, as in `/items/*/id`.
    ///   - limit: The maximum number of differences to return.
    /// - Returns: The differences.
    /// - Complexity: O(*n* log *n*), where *n* is the total length of both texts.
    package func differences(
        from other: JSONValue, ignoring ignored: [JSONPointer] = [], limit: Int = .max
    ) -> [JSONDifference] {
        guard let here = JSONNode(self), let there = JSONNode(other) else {
            // Values larger than 4 GiB have no nodes.
            return self == other || limit < 1 ? [] : [JSONDifference(pointer: JSONPointer(), kind: .otherValue)]
        }
        var comparison = JSONComparison(here: here.source, there: there.source)
        comparison.run(from: here.index, and: there.index, JSONExclusion(ignored), limit: limit)
        return comparison.differences
    }
}

/// A parallel traversal of two values that collects their differences.
private struct JSONComparison {
    /// The two values at a location.
    ///
    /// One of them can be missing.
    struct Pair {
        let here: Int?
        let there: Int?
        let exclusion: JSONExclusion

        /// The path to the location: an index in ``trail``, or nil for the whole value.
        let step: Int?
    }

    /// A member name or array index, and the index of the preceding step.
    struct Step {
        let component: String
        let parent: Int?
    }

    let here: JSONSource
    let there: JSONSource
    var differences: [JSONDifference] = []
    var trail: [Step] = []
    var pending: [Pair] = []

    /// Compares two values and stops after finding `limit` differences.
    mutating func run(from first: Int, and second: Int, _ exclusion: JSONExclusion, limit: Int) {
        guard !exclusion.isWhole else { return }
        pending = [Pair(here: first, there: second, exclusion: exclusion, step: nil)]
        while differences.count < limit, let pair = pending.popLast() {
            if let kind = compare(pair) {
                differences.append(JSONDifference(pointer: pointer(to: pair.step), kind: kind))
            }
        }
    }

    /// Compares two scalars or the types of two containers.
    ///
    /// The children of containers are compared later.
    private mutating func compare(_ pair: Pair) -> JSONDifference.Kind? {
        guard let first = pair.here else { return .missingHere }
        guard let second = pair.there else { return .missingThere }
        let kind = here.tokens[first].kind
        guard kind.type == there.tokens[second].kind.type else { return .otherType }
        switch kind {
        case .object: pushMembers(of: pair, first, second)
        case .array: pushElements(of: pair, first, second)
        default: return here.canonicalScalar(at: first) == there.canonicalScalar(at: second) ? nil : .otherValue
        }
        return nil
    }

    private mutating func pushElements(of pair: Pair, _ first: Int, _ second: Int) {
        var elements: (here: [Int], there: [Int]) = ([], [])
        here.forEachElement(of: first) { elements.here.append($0) }
        there.forEachElement(of: second) { elements.there.append($0) }
        for index in (0..<max(elements.here.count, elements.there.count)).reversed() {
            let component = String(index)
            let exclusion = pair.exclusion.inside(JSONString(component))
            guard !exclusion.isWhole else { continue }
            push(
                index < elements.here.count ? elements.here[index] : nil,
                index < elements.there.count ? elements.there[index] : nil, exclusion, component,
                below: pair.step)
        }
    }

    private mutating func pushMembers(of pair: Pair, _ first: Int, _ second: Int) {
        // Both lists are sorted by name and consumed from the end, so the greater name comes first.
        var members = (
            here: here.children(of: first, pair.exclusion), there: there.children(of: second, pair.exclusion)
        )
        while var last = members.here.last ?? members.there.last {
            if let other = members.there.last, last.name.lexicographicallyPrecedes(other.name) { last = other }
            let one = members.here.last?.name == last.name ? members.here.removeLast() : nil
            let other = members.there.last?.name == last.name ? members.there.removeLast() : nil
            let name = last.name.withUnsafeBytes { JSONString(source: $0[from: 1, to: $0.count - 1]) }
            push(one?.value, other?.value, last.exclusion, name.text, below: pair.step)
        }
    }

    private mutating func push(
        _ first: Int?, _ second: Int?, _ exclusion: JSONExclusion, _ component: String, below parent: Int?
    ) {
        trail.append(Step(component: component, parent: parent))
        pending.append(Pair(here: first, there: second, exclusion: exclusion, step: trail.count - 1))
    }

    private func pointer(to step: Int?) -> JSONPointer {
        var components: [String] = []
        var step = step
        while let index = step {
            components.append(trail[index].component)
            step = trail[index].parent
        }
        return JSONPointer(components.reversed())
    }
}

extension JSONToken.Kind {
    /// The kind, treating both booleans as the same kind.
    var type: Self { self == .false ? .true : self }
}
