#ifndef CPLATFORM_MEMORY_H
#define CPLATFORM_MEMORY_H

#include <stddef.h>

/// Whether up to 64 kB of memory can be read without crashing the process. Returns 0 if that cannot be determined.
int memory_is_readable(const void *_Nonnull start, size_t count);

/// Whether a word can be read and written without crashing the process. Returns 0 if that cannot be determined.
///
/// The test overwrites the word with its current value, so no other thread may write to it concurrently.
int memory_is_writable(void *_Nonnull word);

/// Limits the number of pools from which the threads of the process allocate memory.
///
/// glibc creates up to eight pools per processor, and freed memory stays in its pool, so the memory of a process grows
/// with its threads. Other C libraries have no such limit, and this function has no effect.
void memory_limit_pools(int count);

/// Allocates blocks of at least 1 MiB outside of the pools.
///
/// glibc does so only until such blocks are freed. After that, it takes blocks of up to 32 MiB from a pool: growing a
/// block copies it, and while memory is returned to the system, which can take a tenth of a second, no other thread can
/// use the pool. Other C libraries do not, and this function has no effect.
void memory_separate_large_blocks(void);

#endif
