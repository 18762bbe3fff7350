/// A place where two JSON values differ; what stands there is not part of it.
package struct JSONDifference: Hashable, Sendable {
    /// In which way two values differ.
    package enum Kind: Hashable, Sendable {
        /// The member or element is in the other value only.
        case missingHere

        /// The member or element is in this value only.
        case missingThere

        /// Both have a value of one type, and the values differ.
        case otherValue

        /// The values are of different types.
        case otherType
    }

    /// The place.
    package let pointer: JSONPointer

    /// In which way the values differ.
    package let kind: Kind

    /// Creates a difference.
    ///
    /// - Parameters:
    ///   - pointer: The place.
    ///   - kind: In which way the values differ.
    package init(pointer: JSONPointer, kind: Kind) {
        self.pointer = pointer
        self.kind = kind
    }
}

extension JSONValue {
    /// The places where this value and another differ; none exactly when both have the same canonical text.
    ///
    /// They come in the order of arrays' elements and of members' names. Elements are compared by their index.
    ///
    /// - Parameters:
    ///   - other: The other value.
    ///   - ignored: Places of values that are left out; `*` stands for any name or index, as in `/items/*/id`.
    ///   - limit: The largest number of differences given.
    /// - Returns: The differences.
    /// - Complexity: O(*n* log *n*) in the length of both texts.
    package func differences(
        from other: JSONValue, ignoring ignored: [JSONPointer] = [], limit: Int = .max
    ) -> [JSONDifference] {
        guard let here = JSONNode(self), let there = JSONNode(other) else {
            // Values of more than 4 GiB have no places.
            return self == other || limit < 1 ? [] : [JSONDifference(pointer: JSONPointer(), kind: .otherValue)]
        }
        var comparison = JSONComparison(here: here.source, there: there.source)
        comparison.run(from: here.index, and: there.index, JSONExclusion(ignored), limit: limit)
        return comparison.differences
    }
}
