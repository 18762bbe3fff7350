#include "instructions.h"

unsigned processor_features(void) {
#if defined(__x86_64__)
    return (__builtin_cpu_supports("avx2") ? processor_avx2 : 0u)
        | (__builtin_cpu_supports("pclmul") ? processor_pclmul : 0u)
        | (__builtin_cpu_supports("popcnt") ? processor_popcnt : 0u)
        | (__builtin_cpu_supports("bmi") ? processor_bmi : 0u)
        | (__builtin_cpu_supports("avx512f") ? processor_avx512f : 0u)
        | (__builtin_cpu_supports("avx512bw") ? processor_avx512bw : 0u);
#elif defined(CJSONSCAN_NEON)
    return processor_neon;
#else
    return 0;
#endif
}

instruction_set instructions_fastest(void) {
    return instructions_fastest_with(processor_features());
}

instruction_set instructions_fastest_with(unsigned features) {
    // The extensions that AVX2 and AVX512 in blocks.h enable. Enabling avx512bw also enables avx512f.
    const unsigned fast = processor_avx2 | processor_pclmul | processor_popcnt | processor_bmi;
    const unsigned wide = fast | processor_avx512f | processor_avx512bw;
    if ((features & wide) == wide) return instructions_avx512;
    if ((features & fast) == fast) return instructions_avx2;
    return features & processor_neon ? instructions_neon : instructions_portable;
}
