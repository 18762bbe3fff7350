import Testing

import CJSONScan

@Suite(.limited) struct ProcessorFeaturesTests {
    private static let wide = [
        processor_avx2, processor_pclmul, processor_popcnt, processor_bmi, processor_avx512f, processor_avx512bw,
    ].map { UInt32($0) }
    private static let fast = wide.prefix(4)

    @Test func `an instruction set is used only if the processor has all extensions that its code needs`() {
        let all = Self.wide.reduce(0, |)
        #expect(instructions_fastest_with(all) == instructions_avx512)
        for feature in Self.wide {
            let expected = Self.fast.contains(feature) ? instructions_portable : instructions_avx2
            #expect(instructions_fastest_with(all & ~feature) == expected)
        }
        #expect(instructions_fastest_with(0) == instructions_portable)
        #expect(instructions_fastest_with(UInt32(processor_neon)) == instructions_neon)
    }
}
