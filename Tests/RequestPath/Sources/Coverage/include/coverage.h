#ifndef COVERAGE_H
#define COVERAGE_H

/// Sets all counters of executed code to zero.
void coverage_begin(void);

/// Writes the counters to a file.
void coverage_end(const char *_Nonnull path);

#endif
