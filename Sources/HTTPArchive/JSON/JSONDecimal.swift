/// The value of a JSON number, written in one way only, whatever its size.
///
/// That way is an integer without zeros at its end, and a power of ten unless it is 0: `17`, `-15e-1`, `1e3`.
struct JSONDecimal {
    let text: [UInt8]

    /// Takes the text of a number that yajl has accepted.
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

    /// The sum of an exponent, which may have any number of digits, and the shift of a dot; empty when it is 0.
    private static func sum(_ exponent: Slice<UnsafeRawBufferPointer>, _ shift: Int) -> [UInt8] {
        let isNegative = exponent.first == UInt8(ascii: "-")
        var digits = Array(exponent.drop { !(UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) })
        if digits.count < 18 {
            let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            let sum = (isNegative ? -magnitude : magnitude) + shift
            return sum == 0 ? [] : Array(String(sum).utf8)
        }
        // No text is so long that the shift could change the sign.
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
