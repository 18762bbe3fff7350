#ifndef CPLATFORM_SEARCH_H
#define CPLATFORM_SEARCH_H

#include <stddef.h>

/// Returns the first occurrence of a byte sequence in a buffer, or a null pointer.
///
/// This calls memmem, which glibc declares only with `_GNU_SOURCE`.
const void *_Nullable search_find(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull wanted, size_t wanted_count);

#endif
