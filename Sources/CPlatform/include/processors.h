#ifndef CPLATFORM_PROCESSORS_H
#define CPLATFORM_PROCESSORS_H

#include <stdint.h>

/// Returns the number of processors available to the process, at least 1. Tools such as `taskset` can limit this
/// number.
int processors_available(void);

/// Returns the processor time that the current thread has used, in nanoseconds.
uint64_t processors_thread_time(void);

#endif
