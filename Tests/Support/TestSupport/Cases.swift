import Foundation

/// The selection of cases for tests that could try thousands.
///
/// `swift test` runs a representative part of them. With `RELAY_ALL_CASES=1`, as in `.ci/run`, all cases are run.
package enum Cases {
    /// Whether all cases are run.
    package static let areAll = ProcessInfo.processInfo.environment["RELAY_ALL_CASES"] == "1"

    /// Returns elements that are evenly spread over a collection and include its first and last one, or all elements if
    /// all cases are run.
    ///
    /// - Parameters:
    ///   - count: The number of elements, if not all cases are run.
    ///   - all: The collection.
    /// - Returns: The elements, in their order.
    package static func some<Elements: Collection>(_ count: Int, of all: Elements) -> [Elements.Element] {
        let elements = Array(all)
        guard !areAll, elements.count > count, count > 1 else { return elements }
        return (0..<count).map { elements[$0 * (elements.count - 1) / (count - 1)] }
    }

    /// Returns a number of cases: the first one, or the second one if all cases are run.
    package static func count(_ some: Int, orAll all: Int) -> Int { areAll ? all : some }
}
