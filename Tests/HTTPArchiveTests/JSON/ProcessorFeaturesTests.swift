import Testing

import CJSONScan

@Suite(.limited) struct ProcessorFeaturesTests {
    private static let wide = [
        processor_avx2, processor_pclmul, processor_popcnt, processor_bmi, processor_avx512f, processor_avx512bw,
    ].map { UInt32($0) }
    private static let fast = wide.prefix(4)

    @Test func `an instruction set is used only if the processor has all extensions that its code needs`() {
        let all = Self.wide.reduce(0, |)
        #expect(structure_fastest_with(all) == structure_avx512)
        for feature in Self.wide {
            let expected = Self.fast.contains(feature) ? structure_portable : structure_avx2
            #expect(structure_fastest_with(all & ~feature) == expected)
        }
        #expect(structure_fastest_with(0) == structure_portable)
    }

    @Test func `the string search finds the same passages without any one of the extensions`() {
        let text = Array(("\"" + String(repeating: "a\\u0041", count: 100) + "\"").utf8)
        func passages(_ features: UInt32) -> [UInt64] {
            var state = passages_state()
            var found = [passage](repeating: passage(), count: text.count / Int(passages_least_length) + 1)
            let count = passages_find_with(features, text, text.count, &state, &found)
            return found[..<count].flatMap { [$0.start, $0.end] }
        }
        let available = processor_features()
        let expected = passages(0)
        #expect(!expected.isEmpty)
        for feature in Self.wide { #expect(passages(available & ~feature) == expected) }
    }
}
