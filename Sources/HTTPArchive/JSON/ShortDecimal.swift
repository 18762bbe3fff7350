/// A JSON number of few digits and no exponent, as nearly all are, read without a string of its own.
struct ShortDecimal {
    private let isNegative: Bool

    /// The digits as one integer, the dot left out.
    private let digits: UInt64

    /// How many of the digits stand behind the dot.
    private let scale: Int

    /// Every integer of so many digits is below 2 to the power of 64.
    private static let digitLimit = 19

    /// Reads a number that yajl has accepted; `nil` when it has an exponent, or more than 19 digits.
    init?(_ text: UnsafeRawBufferPointer) {
        isNegative = text.first == UInt8(ascii: "-")
        var digits: UInt64 = 0
        var count = 0
        var wholeCount: Int?
        for byte in text[(isNegative ? 1 : 0)...] {
            let digit = byte &- 0x30
            if digit < 10 {
                guard count < Self.digitLimit else { return nil }
                digits = digits &* 10 &+ UInt64(digit)
                count += 1
            } else if byte == UInt8(ascii: ".") {
                wholeCount = count
            } else {
                return nil
            }
        }
        self.digits = digits
        scale = wholeCount.map { count - $0 } ?? 0
    }

    /// The number; `nil` when it was written with a dot, or is beyond the range of `Int`.
    var int: Int? {
        guard scale == 0, digits <= Int.max else { return nil }
        return isNegative ? -Int(digits) : Int(digits)
    }

    /// The nearest `Double`, the one of even significand between two.
    var double: Double {
        let magnitude =
            if scale == 0 {
                Double(digits)
            } else if digits < 1 << 53 {
                // Both are exact, so that there is but the rounding of the division.
                Double(digits) / Double(Self.powers[scale])
            } else {
                quotient
            }
        return isNegative ? -magnitude : magnitude
    }

    /// The nearest `Double` to the digits divided by the power of ten, from the bits of a long division.
    private var quotient: Double {
        let power = Self.powers[scale]
        let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
        let dividend = digits << shift
        let (quotient, remainder) = (power << powerShift).dividingFullWidth((dividend >> 1, dividend << 63))
        // The quotient has at least 62 bits. Its lowest, far below those of a Double, tells that something follows, so that
        // what is just above the middle of two is not taken for the middle.
        return Double(
            sign: .plus, exponent: powerShift - shift - 63, significand: Double(quotient | (remainder == 0 ? 0 : 1)))
    }

    /// The powers of ten that the digits are divided by.
    private static let powers: [UInt64] = (0...digitLimit).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}
