import CJSONScan

/// A validator for a series of JSON texts.
///
/// It captures no values, so it runs at the full speed of the parser.
///
/// The parser receives the texts as elements of one endless array, so that they can share one parser.
final class JSONValidator {
    private let parser = JSONParser(onlyNeedsBrackets: true)
    private var hasElements = false

    /// The number of open brackets, including the bracket of the endless array.
    private var nesting = 0

    /// The number of containers that are elements of the endless array.
    private var elementCount = 0

    /// The maximum depth of nested containers.
    let depth: Int

    /// Creates a validator.
    ///
    /// - Parameter depth: The maximum depth of nested containers.
    init(depth: Int) {
        self.depth = depth
        _ = parse("[")
    }

    /// Validates the next text.
    ///
    /// After the first invalid text, all later texts are reported as invalid.
    ///
    /// - Parameter text: A list of values separated by commas, without surrounding whitespace. The first and last
    ///   values must be objects.
    /// - Returns: The number of objects and arrays in the list, or nil if the text is invalid or nested too deeply.
    func objectCount(of text: UnsafeRawBufferPointer) -> Int? {
        guard text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") else { return nil }
        if hasElements, !parse(",") { return nil }
        hasElements = true
        let count = elementCount
        guard parse(text), nesting == 1 else { return nil }
        return elementCount - count
    }

    private func parse(_ text: StaticString) -> Bool {
        parse(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func parse(_ text: UnsafeRawBufferPointer) -> Bool {
        var rest = text
        while !rest.isEmpty {
            let part = rest[from: 0, to: min(JSONParser.partSize, rest.count)]
            guard parser.parse(part) else { return false }
            for token in parser.tokens {
                switch JSONToken.Kind(token) {
                case .object, .array:
                    if nesting == 1 { elementCount += 1 }
                    guard nesting <= depth else { return false }
                    nesting += 1
                case .close: nesting -= 1
                default: break
                }
            }
            rest = rest[from: part.count]
        }
        return true
    }
}
