/// Numbers next to the limits of the types that numbers of an archive are converted to.
private let numbers = [
    "2147483647", "2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740991", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9223372036854774784",
    "18446744073709551615", "18446744073709551616", "9223372036854775807.5", "-9223372036854775808.5", "1e18", "9.3e18",
    "1.8446744073709552e19", "1e308", "-1e308", "1e309", "-1e400", "5e-324", "1e-400", "1e999999999999999999", "-0",
    "-0.0", "0e0", "0.1", "-1", "0", "1e-9", "253402300800", "-62135596801", "8.64e15", "00", "-", "1e",
]

/// Times far away, and texts that are almost times.
private let dates = [
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "1582-10-15T00:00:00Z", "1969-12-31T23:59:59.999Z",
    "2038-01-19T03:14:08Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999-23:59", "10000-01-01T00:00:00Z",
    "99999999999-01-01T00:00:00Z", "-9999-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "2026-02-31T24:00:00Z",
    "2026-01-01T00:00:00.99999999999999999999Z", "2026-01-01T00:00:00+99:99",
]

/// Applies one of libFuzzer's mutations.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int) -> Int

/// Replaces one or all of the numbers and times in an input, or applies one of libFuzzer's mutations.
///
/// libFuzzer calls this function.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int, _ seed: UInt32) -> Int {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let found = seed % 4 == 0 ? ranges(in: input) : []
    // Totals overflow if many numbers are large.
    let replaced = seed % 32 == 0 ? found : found.isEmpty ? [] : [found[Int(seed / 32) % found.count]]
    var output = input
    for range in replaced.reversed() {
        let isDate = input[range].contains(UInt8(ascii: ":"))
        let texts = isDate ? dates : numbers
        output.replaceSubrange(range, with: texts[(Int(seed) / 7919 + range.lowerBound) % texts.count].utf8)
    }
    guard !replaced.isEmpty, output.count <= maximum else { return mutateBytes(bytes, count, maximum) }
    bytes.update(from: output, count: output.count)
    return output.count
}

/// Returns the ranges of numbers and times, also of those that are texts.
private func ranges(in input: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var index = 0
    while index < input.count {
        // A colon is part of a time, or before a number.
        if input[index] == UInt8(ascii: ":") { index += 1 }
        let end = input[index...].firstIndex { !characters.contains($0) } ?? input.count
        let isWhole = index == 0 || delimiters.contains(input[index - 1])
        let isNumber = input[index..<end].contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isWhole, isNumber, end == input.count || delimiters.contains(input[end]) { ranges.append(index..<end) }
        index = end + 1
    }
    return ranges
}

private let characters = Set("0123456789+-.:TZeE".utf8)
private let delimiters = Set(":,[]{} \"'=\r\n\t".utf8)
