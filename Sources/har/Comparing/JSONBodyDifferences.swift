import HTTPArchive

/// The differences between two JSON bodies.
///
/// The elements of arrays are aligned, so that an inserted element does not change the others.
struct JSONBodyDifferences {
    /// A value that differs.
    struct Change {
        /// The location, in the first body or, for a value that was added, in the second.
        let pointer: JSONPointer

        /// The location with `*` in place of array indices.
        let pattern: JSONPointer

        /// The value in the first body, or nil if it was added.
        let first: JSONValue?

        /// The value in the second body, or nil if it was removed.
        let second: JSONValue?
    }

    /// The differences, ordered by element and by member name.
    private(set) var changes: [Change] = []

    private let volatile: VolatileFields

    /// Compares two bodies.
    ///
    /// - Parameters:
    ///   - first: The first body.
    ///   - second: The second body.
    ///   - volatile: The values that do not matter when elements are aligned.
    init(_ first: JSONValue, _ second: JSONValue, aligningWithout volatile: VolatileFields) {
        self.volatile = volatile
        compare(first, second, at: JSONPointer(), JSONPointer())
    }

    private mutating func compare(
        _ first: JSONValue, _ second: JSONValue, at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        switch (first, second) {
        case (.object(let one), .object(let other)): compareMembers(one, other, at: pointer, pattern)
        case (.array(let one), .array(let other)): compareElements(one, other, at: pointer, pattern)
        default:
            guard first.canonicalText() != second.canonicalText() else { return }
            changes.append(Change(pointer: pointer, pattern: pattern, first: first, second: second))
        }
    }

    private mutating func compareMembers(
        _ first: JSONObject, _ second: JSONObject, at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        let members = [first, second].map { object in
            Dictionary(object.members.map { ($0.name, $0.value) }) { _, last in last }
        }
        for name in Set(members[0].keys).union(members[1].keys).sorted(by: { $0.text < $1.text }) {
            add(members[0][name], members[1][name], at: pointer.appending(name.text), pattern.appending(name.text))
        }
    }

    private mutating func compareElements(
        _ first: [JSONValue], _ second: [JSONValue], at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        let texts = [first, second].map { elements in
            elements.map { $0.canonicalText(ignoring: volatile.pointers(in: $0)) }
        }
        let inside = pattern.appending("*")
        for step in Alignment(texts[0], texts[1]).steps(includesEqual: true) {
            add(
                step.first.map { first[$0] }, step.second.map { second[$0] },
                at: pointer.appending(step.first ?? step.second ?? 0), inside)
        }
    }

    /// Adds the differences between two values, or one value if the other is missing.
    private mutating func add(
        _ first: JSONValue?, _ second: JSONValue?, at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        if let first, let second {
            compare(first, second, at: pointer, pattern)
        } else {
            changes.append(Change(pointer: pointer, pattern: pattern, first: first, second: second))
        }
    }
}
