/// A JSON number, kept as it was written.
///
/// `1`, `1.0` and `1e0` are three different values of this type: what a file says survives reading and writing.
public struct JSONNumber: Hashable, Sendable {
    /// The number as JSON text, such as `1.50` or `-0`.
    public let text: String

    /// The number as an integer; `nil` when it has a fraction or goes beyond the range of `Int`.
    public var int: Int? {
        if let int = Int(text) { return int }
        let parts = text.split { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.dropFirst().first ?? ""
        guard var scale = parts.count == 1 ? 0 : Int(parts[1]) else { return nil }
        var digits = mantissa[0] + fraction
        (scale, _) = scale.subtractingReportingOverflow(fraction.utf8.count)
        while scale < 0, digits.utf8.last == UInt8(ascii: "0") {
            digits.removeLast()
            scale += 1
        }
        // Double has fewer digits than Int: it would make integers of fractions, and of integers their neighbours.
        guard let value = digits.isEmpty || digits == "-" ? 0 : Int(digits) else { return nil }
        guard value != 0, scale != 0 else { return value }
        guard scale > 0, scale < 19 else { return nil }
        let (scaled, isOverflow) = (0..<scale).reduce((value, false)) { result, _ in
            let (product, isOverflow) = result.0.multipliedReportingOverflow(by: 10)
            return (product, result.1 || isOverflow)
        }
        return isOverflow ? nil : scaled
    }

    /// The number as the nearest `Double`; infinite when it goes beyond the range of the type.
    public var double: Double? { Double(text) }

    /// Creates a number from an integer.
    ///
    /// - Parameter value: The integer.
    public init(_ value: Int) { text = String(value) }

    /// Creates a number with the shortest text that reads as `value` again.
    ///
    /// `nil` when `value` is infinite or not a number, which JSON cannot write.
    ///
    /// - Parameter value: The number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// Creates a number from JSON text; `nil` when the text is none (RFC 8259, section 6).
    ///
    /// - Parameter text: The text, such as `1.50`.
    public init?(text: String) {
        var text = text
        guard text.withUTF8({ JSONText.isNumber(UnsafeRawBufferPointer($0)) }) else { return nil }
        self.text = text
    }

    /// Takes the text of a number that yajl has accepted.
    init(accepted text: String) { self.text = text }
}
