#ifndef CJSONSCAN_INSTRUCTIONS_H
#define CJSONSCAN_INSTRUCTIONS_H

/// The x86-64 instruction set extensions that this module can use.
enum {
    processor_avx2 = 1,
    processor_pclmul = 2,
    processor_popcnt = 4,
    processor_bmi = 8,
    processor_avx512f = 16,
    processor_avx512bw = 32,
};

/// Returns the extensions that the processor and the operating system support, as a bit mask of the constants above.
///
/// Emulators and virtual machines can support any subset of them.
unsigned processor_features(void);

#endif
