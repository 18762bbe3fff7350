#ifndef COVERAGE_H
#define COVERAGE_H

/// Sets all coverage counters to zero.
void coverage_begin(void);

/// Writes the coverage counters to a file.
void coverage_end(const char *_Nonnull path);

#endif
