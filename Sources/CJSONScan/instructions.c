#include "instructions.h"

unsigned processor_features(void) {
#if defined(__x86_64__)
    return (__builtin_cpu_supports("avx2") ? processor_avx2 : 0u)
        | (__builtin_cpu_supports("pclmul") ? processor_pclmul : 0u)
        | (__builtin_cpu_supports("popcnt") ? processor_popcnt : 0u)
        | (__builtin_cpu_supports("bmi") ? processor_bmi : 0u)
        | (__builtin_cpu_supports("avx512f") ? processor_avx512f : 0u)
        | (__builtin_cpu_supports("avx512bw") ? processor_avx512bw : 0u);
#else
    return 0;
#endif
}
