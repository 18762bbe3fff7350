/// A JSON number that preserves its text.
///
/// Numbers are written unchanged, so `1`, `1.0` and `1e0` are not equal.
public struct JSONNumber: Hashable, Sendable {
    /// The number as JSON text, such as `1.50` or `-0`.
    public let text: String

    /// The number as an integer, or nil if it has a fraction or exceeds the range of `Int`.
    public var int: Int? {
        if let int = Int(text) { return int }
        // `Double` is too imprecise here: it would turn some fractions into integers and change some integers.
        let canonical = Array(text.utf8).withUnsafeBytes { JSONDecimal($0).text }
        let parts = String(decoding: canonical, as: UTF8.self).split(separator: "e")
        // The canonical form has a negative exponent only if the number has a fraction.
        guard let scale = parts.count == 1 ? 0 : Int(parts[1]), 0..<19 ~= scale else { return nil }
        return Int(parts[0] + String(repeating: "0", count: scale))
    }

    /// The number as the nearest `Double`, or infinity if it exceeds the range of `Double`.
    public var double: Double? { Double(text) }

    /// Creates a number from an integer.
    ///
    /// - Parameter value: The integer.
    public init(_ value: Int) { text = String(value) }

    /// Creates a number with the shortest text that converts back to `value`.
    ///
    /// Returns nil if `value` is infinite or not a number, which JSON cannot represent.
    ///
    /// - Parameter value: The number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// Creates a number from JSON text, or returns nil if the text is not a number (RFC 8259, section 6).
    ///
    /// - Parameter text: The text, such as `1.50`.
    public init?(text: String) {
        var text = text
        guard text.withUTF8({ JSONText.isNumber(UnsafeRawBufferPointer($0)) }) else { return nil }
        self.text = text
    }

    /// Creates a number from text that the parser accepted.
    init(accepted text: String) { self.text = text }
}

extension JSONNumber {
    /// Creates a number from the text of a string, which some tools write instead of a number: `200`, ` 200 `, `12,5`.
    ///
    /// Returns nil if the text is not a number, such as `NaN` or `1.234,5`.
    ///
    /// - Parameter text: The text in UTF-8. A comma is a decimal separator.
    package init?(string text: some BidirectionalCollection<UInt8>) {
        guard text.count <= 64 else { return nil }
        self.init(decimal: text.withoutBlanks.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }[...])
    }

    /// Creates a number from text in a notation that JSON does not allow: `+1`, `007`, `.5`, `5.`.
    ///
    /// - Parameter text: The text.
    package init?(decimal text: ArraySlice<UInt8>) {
        var digits = text
        var number: [UInt8] = []
        if let sign = digits.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            if sign == UInt8(ascii: "-") { number = [sign] }
            digits = digits.dropFirst()
        }
        let whole = digits.prefix(while: JSONText.isDigit)
        let significant = whole.drop { $0 == UInt8(ascii: "0") }
        number += significant.isEmpty ? [UInt8(ascii: "0")] : significant
        var rest = digits[whole.endIndex...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: JSONText.isDigit)
            if !fraction.isEmpty { number += [UInt8(ascii: ".")] + fraction }
            // A point has a digit on at least one side.
            guard !whole.isEmpty || !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        } else if whole.isEmpty {
            return nil
        }
        self.init(text: String(decoding: number + rest, as: UTF8.self))
    }
}

extension JSONNumber {
    /// Returns the same value as ``int``, or nil if the text is not a number.
    static func int(of text: UnsafeRawBufferPointer) -> Int? {
        ShortDecimal(text)?.int ?? JSONNumber(text: String(decoding: text, as: UTF8.self))?.int
    }

    /// Returns the same value as ``double``, or nil if the text is not a number.
    static func double(of text: UnsafeRawBufferPointer) -> Double? {
        ShortDecimal(text)?.double ?? JSONNumber(text: String(decoding: text, as: UTF8.self))?.double
    }
}

/// The canonical form of a JSON number of any size.
///
/// The form is an integer without trailing zeros, followed by an exponent unless it is 0: `17`, `-15e-1`, `1e3`.
struct JSONDecimal {
    let text: [UInt8]

    /// Creates the canonical form of a number that the parser accepted.
    init(_ number: UnsafeRawBufferPointer) {
        let mantissa = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let parts = mantissa.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        let digits = parts.isEmpty ? [] : (Array(parts[0]) + fraction).drop { $0 == UInt8(ascii: "0") }
        let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        guard digits.count > zeros else {
            text = [UInt8(ascii: "0")]
            return
        }
        let exponent = Self.sum(number.dropFirst(mantissa.count + 1), zeros - fraction.count)
        let sign = number.first == UInt8(ascii: "-") ? [UInt8(ascii: "-")] : []
        text = sign + digits.dropLast(zeros) + (exponent.isEmpty ? [] : [UInt8(ascii: "e")] + exponent)
    }

    /// Returns whether a number is already in canonical form, as most integers are.
    static func isCanonical(_ number: UnsafeRawBufferPointer) -> Bool {
        number.last != UInt8(ascii: "0")
            && number.drop { $0 == UInt8(ascii: "-") }.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Adds the shift of the decimal point to an exponent with any number of digits.
    ///
    /// Returns no digits if the sum is 0.
    private static func sum(_ exponent: Slice<UnsafeRawBufferPointer>, _ shift: Int) -> [UInt8] {
        let isNegative = exponent.first == UInt8(ascii: "-")
        var digits = Array(exponent.drop { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) })
        if digits.count < 18 {
            let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            let sum = (isNegative ? -magnitude : magnitude) + shift
            return sum == 0 ? [] : Array(String(sum).utf8)
        }
        // An exponent with 18 or more digits is so large that the shift cannot change its sign.
        var carry = isNegative ? -shift : shift
        for index in digits.indices.reversed() where carry != 0 {
            let sum = Int(digits[index] - 0x30) + carry
            carry = sum >= 0 ? sum / 10 : (sum - 9) / 10
            digits[index] = UInt8(sum - carry * 10) + 0x30
        }
        let magnitude = (carry == 0 ? [] : Array(String(carry).utf8)) + digits
        return (isNegative ? [UInt8(ascii: "-")] : []) + magnitude.drop { $0 == UInt8(ascii: "0") }
    }
}

/// A short JSON number without an exponent, parsed without creating a string.
///
/// Nearly all numbers in archives have this form.
struct ShortDecimal {
    private let isNegative: Bool

    /// The digits as one integer, without the decimal point.
    private let digits: UInt64

    /// The number of digits after the decimal point.
    private let scale: Int

    /// The maximum number of digits that always fit in a `UInt64`.
    private static let digitLimit = 19

    /// Parses a JSON number (RFC 8259, section 6), or returns nil if the text is invalid, has an exponent or has more than
    /// 19 digits.
    init?(_ text: UnsafeRawBufferPointer) {
        isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard text.count - start <= Self.digitLimit + 1 else { return nil }
        var digits: UInt64 = 0
        var point: Int?
        for offset in start..<text.count {
            let digit = text[offset] &- 0x30
            if digit < 10 {
                digits = digits &* 10 &+ UInt64(digit)
            } else {
                guard text[offset] == UInt8(ascii: "."), point == nil else { return nil }
                point = offset
            }
        }
        let wholeCount = (point ?? text.count) - start
        scale = point.map { text.count - $0 - 1 } ?? 0
        guard wholeCount > 0, wholeCount == 1 || text[start] != 0x30, point == nil || scale > 0,
            wholeCount + scale <= Self.digitLimit
        else { return nil }
        self.digits = digits
    }

    /// The number as an integer, or nil if it has a decimal point or exceeds the range of `Int`.
    var int: Int? {
        guard scale == 0, digits <= Int.max else { return nil }
        return isNegative ? -Int(digits) : Int(digits)
    }

    /// The nearest `Double`, with ties rounded to the even significand.
    var double: Double {
        let magnitude =
            if scale == 0 {
                Double(digits)
            } else if digits < 1 << 53 {
                // Both operands are exact, so only the division rounds.
                Double(digits) / Double(Self.powers[scale])
            } else {
                quotient
            }
        return isNegative ? -magnitude : magnitude
    }

    /// The nearest `Double` to the digits divided by the power of ten, computed by long division.
    private var quotient: Double {
        let power = Self.powers[scale]
        let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
        let dividend = digits << shift
        let (quotient, remainder) = (power << powerShift).dividingFullWidth((dividend >> 1, dividend << 63))
        // The quotient has at least 62 bits, more than the precision of `Double`. A remainder sets its lowest bit, so
        // that a value just above a tie is not rounded as a tie.
        return Double(
            sign: .plus, exponent: powerShift - shift - 63, significand: Double(quotient | (remainder == 0 ? 0 : 1)))
    }

    /// The powers of ten, indexed by exponent.
    private static let powers: [UInt64] = (0...digitLimit).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
