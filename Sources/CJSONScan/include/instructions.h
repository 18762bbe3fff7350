#ifndef CJSONSCAN_INSTRUCTIONS_H
#define CJSONSCAN_INSTRUCTIONS_H

/// Defined if the code is compiled for NEON, which every 64-bit ARM processor that runs this package has.
#if defined(__aarch64__) && defined(__ARM_NEON)
#define CJSONSCAN_NEON 1
#endif

/// The extensions of x86-64 and ARM that this module can use.
enum {
    processor_avx2 = 1,
    processor_pclmul = 2,
    processor_popcnt = 4,
    processor_bmi = 8,
    processor_avx512f = 16,
    processor_avx512bw = 32,
    processor_neon = 64,
};

/// Returns the extensions that the processor and the operating system support, as a bit mask of the constants above.
///
/// Emulators and virtual machines can support any subset of the extensions of x86-64.
unsigned processor_features(void);

/// The instruction sets that have their own code: portable C, NEON on ARM, and two extensions of x86-64, slowest first.
typedef enum { instructions_portable, instructions_neon, instructions_avx2, instructions_avx512 } instruction_set;

/// Returns the fastest instruction set that the processor supports.
instruction_set instructions_fastest(void);

/// Returns the fastest instruction set that a processor with the given processor_features supports.
instruction_set instructions_fastest_with(unsigned features);

#endif
