import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct ShortDecimalTests {
    private func decimal(_ text: String) -> ShortDecimal? {
        Array(text.utf8).withUnsafeBytes { ShortDecimal($0) }
    }

    @Test func `a short number is bitwise equal to the standard library's result`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<Cases.count(8_000, orAll: 30_000) {
            let count = Int.random(in: 1...19, using: &generator)
            var digits = (0..<count).map { _ in "0123456789".randomElement(using: &generator).map(String.init) ?? "" }
            if Bool.random(using: &generator), count > 1 {
                digits.insert(".", at: Int.random(in: 1..<count, using: &generator))
            }
            let text = (Bool.random(using: &generator) ? "-" : "") + digits.joined()
            guard JSONNumber(text: text) != nil else {
                #expect(decimal(text) == nil, "\(text)")
                continue
            }
            let number = try #require(decimal(text))
            #expect(number.double.bitPattern == Double(text)?.bitPattern, "\(text)")
            if let int = number.int { #expect(int == Int(text), "\(text)") }
            if !text.contains(".") { #expect(number.int == Int(text), "\(text)") }
        }
    }

    @Test func `a number halfway between two doubles is rounded to even, and others to the nearest`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<Cases.count(5_000, orAll: 20_000) {
            let middle = UInt64.random(in: 1 << 53..<1 << 54, using: &generator) | 1
            for text in ["\(middle)", "\(middle).0", "\(middle).00", "\(middle).01", "\(middle - 1).99"] {
                #expect(try #require(decimal(text)).double == Double(text), "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            "0", "-0", "0.0", "-0.0", "0.1", "1.50", "213.40500000000003", "9007199254740993", "9007199254740993.001",
            "9223372036854775807", "-9223372036854775807", "9999999999999999999", "-9.999999999999999999",
            "0.000000000000000001", "1.000000000000000000", "0.500000000000000028", "8.999999999999999999",
        ])
    func `numbers at the limits are exact`(text: String) throws {
        #expect(try #require(decimal(text)).double.bitPattern == Double(text)?.bitPattern)
    }

    @Test(arguments: ["9223372036854775808", "-9223372036854775808", "9999999999999999999", "1.0", "1.5"])
    func `fractions and integers out of range are left to the general parser`(text: String) throws {
        #expect(try #require(decimal(text)).int == nil)
    }

    @Test(arguments: ["1e3", "1E-3", "0e0", "12345678901234567890", "0.0000000000000000001", "-1.5e1"])
    func `exponents and more than nineteen digits are left to the general parser`(text: String) {
        #expect(decimal(text) == nil)
    }
}
