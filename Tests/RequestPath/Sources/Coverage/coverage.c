#include "coverage.h"

// Functions of LLVM's profile runtime (https://clang.llvm.org/docs/SourceBasedCodeCoverage.html).
void __llvm_profile_reset_counters(void);
void __llvm_profile_set_filename(const char *path);
int __llvm_profile_write_file(void);

void coverage_begin(void) { __llvm_profile_reset_counters(); }

void coverage_end(const char *path) {
    __llvm_profile_set_filename(path);
    __llvm_profile_write_file();
}
