public import HTTPArchive

/// The shape of JSON values: their types, the members of objects, and the formats and values of strings.
///
/// A shape describes any number of values, for example the bodies of all responses of an endpoint. The elements of an
/// array share one shape. The order in which values are added does not matter.
///
/// ```swift
/// var shape = Shape(of: ["id": 1, "name": "Apple"])
/// shape.add(["id": 2, "name": nil])
/// print(shape)  // an object (id, name)
/// ```
public struct Shape: Sendable {
    /// The number of null values.
    var nullCount = 0

    /// The number of booleans.
    var booleanCount = 0

    /// The number of strings that redaction replaced, which can have had any scalar type.
    var placeholderCount = 0

    var numbers = Numbers()
    var strings = Strings()

    /// The number of arrays.
    var arrayCount = 0

    /// The shape of the elements of all arrays; empty if no array had an element.
    var elements: [Shape] = []

    /// The members of all objects, or nil if no object was added.
    var objects: Members?

    /// Creates a shape that describes no value.
    public init() {}

    /// Creates the shape of a value.
    ///
    /// - Parameter value: The value.
    public init(of value: JSONValue) {
        add(value)
    }

    /// Adds a value.
    ///
    /// - Parameter value: The value.
    /// - Complexity: O(*n*) in the size of the value.
    public mutating func add(_ value: JSONValue) {
        // Only a value of more than 4 GiB has no node.
        if let node = JSONNode(value) { add(node) }
    }

    /// Adds the values that another shape describes.
    ///
    /// - Parameter other: The other shape.
    public mutating func merge(_ other: Shape) {
        nullCount += other.nullCount
        booleanCount += other.booleanCount
        placeholderCount += other.placeholderCount
        numbers.merge(other.numbers)
        strings.merge(other.strings)
        arrayCount += other.arrayCount
        if let element = other.elements.first {
            if elements.isEmpty { elements = [element] } else { elements[0].merge(element) }
        }
        guard let members = other.objects else { return }
        if objects == nil { objects = members } else { objects?.merge(members) }
    }
}

extension Shape {
    /// The numbers that a shape describes.
    struct Numbers: Sendable {
        /// The number of numbers.
        var count = 0

        /// The number of numbers with a fraction or an exponent.
        var fractionCount = 0

        /// The number of integers that may not fit in 64 bits.
        var largeCount = 0

        mutating func merge(_ other: Numbers) {
            count += other.count
            fractionCount += other.fractionCount
            largeCount += other.largeCount
        }
    }

    /// A type of JSON value.
    enum Kind: String, CaseIterable, Sendable {
        case null, boolean, number, string, array, object

        /// Whether redaction can replace values of this type.
        var isScalar: Bool { self != .array && self != .object }
    }

    /// The types of the values, without placeholders.
    var kinds: [Kind] { Kind.allCases.filter { count(of: $0) > 0 } }

    /// Returns the number of values with a type.
    func count(of kind: Kind) -> Int {
        switch kind {
        case .null: nullCount
        case .boolean: booleanCount
        case .number: numbers.count
        case .string: strings.count
        case .array: arrayCount
        case .object: objects?.count ?? 0
        }
    }

    /// Whether the shape describes no value.
    var isEmpty: Bool { placeholderCount == 0 && Kind.allCases.allSatisfy { count(of: $0) == 0 } }

    /// The shape of the elements of arrays.
    var element: Shape { elements.first ?? Shape() }

    /// Whether all numbers are integers.
    var hasOnlyIntegers: Bool { numbers.fractionCount == 0 }
}

extension Shape: CustomStringConvertible {
    /// The types, such as `a string or null` or `an array of objects (id, name)`.
    ///
    /// At most eight members of an object are listed.
    public var description: String { text(inArray: false) }

    private func text(inArray isPlural: Bool) -> String {
        var texts: [String] = []
        if booleanCount > 0 { texts.append(isPlural ? "booleans" : "a boolean") }
        if numbers.count > 0 {
            let name = hasOnlyIntegers ? "integer" : "number"
            texts.append(isPlural ? name + "s" : (hasOnlyIntegers ? "an " : "a ") + name)
        }
        if strings.count > 0 {
            let format = strings.format.map { " (\($0.rawValue))" } ?? ""
            texts.append((isPlural ? "strings" : "a string") + format)
        }
        if arrayCount > 0 {
            let content = element.isEmpty ? "" : " of " + element.text(inArray: true)
            texts.append((isPlural ? "arrays" : "an array") + content)
        }
        if let objects {
            if let value = objects.mapValue {
                texts.append((isPlural ? "maps" : "a map") + " to " + value.text(inArray: true))
            } else {
                let names = objects.all.prefix(8).map(\.name) + (objects.all.count > 8 ? ["…"] : [])
                texts.append(
                    (isPlural ? "objects" : "an object")
                        + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"))
            }
        }
        if nullCount > 0 { texts.append("null") }
        if placeholderCount > 0, texts.isEmpty { texts.append(isPlural ? "redacted values" : "a redacted value") }
        guard let last = texts.popLast() else { return "no value" }
        return texts.isEmpty ? last : texts.joined(separator: ", ") + " or " + last
    }
}
