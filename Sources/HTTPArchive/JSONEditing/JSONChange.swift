/// A difference between two JSON values, with the values at its location.
package struct JSONChange: Sendable {
    /// The location.
    package let pointer: JSONPointer

    /// The location with `*` in place of array indices.
    package let pattern: JSONPointer

    /// The member or element of this value, or nil if it exists only in the other value.
    package let here: JSONValue?

    /// The member or element of the other value, or nil if it exists only in this value.
    package let there: JSONValue?
}

extension JSONValue {
    /// Returns the differences between this value and another, with the values at their locations.
    ///
    /// The order and the locations are the same as in ``differences(from:ignoring:limit:)``.
    ///
    /// - Parameter other: The other value.
    /// - Returns: The differences.
    /// - Complexity: O(*n* log *n*) in the length of both texts.
    package func changes(to other: JSONValue) -> [JSONChange] {
        guard let here = JSONNode(self), let there = JSONNode(other) else {
            // Values larger than 4 GiB have no nodes.
            guard self != other else { return [] }
            return [JSONChange(pointer: JSONPointer(), pattern: JSONPointer(), here: self, there: other)]
        }
        var comparison = JSONComparison(here: here.source, there: there.source)
        comparison.run(from: here.index, and: there.index, JSONExclusion([]), limit: .max)
        return comparison.changes
    }
}
