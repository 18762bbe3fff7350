#ifndef CPLATFORM_MEMORY_H
#define CPLATFORM_MEMORY_H

#include <stddef.h>

/// Whether up to 64 kB of memory can be read without crashing the process. Returns 0 if that cannot be determined.
int memory_is_readable(const void *_Nonnull start, size_t count);

/// Whether a word can be read and written without crashing the process. Returns 0 if that cannot be determined.
///
/// The test overwrites the word with its current value, so no other thread may write to it concurrently.
int memory_is_writable(void *_Nonnull word);

#endif
