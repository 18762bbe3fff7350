#ifndef CPLATFORM_SEARCH_H
#define CPLATFORM_SEARCH_H

#include <stddef.h>

/// Returns the first occurrence of a byte sequence in a buffer, or a null pointer.
///
/// The time is proportional to the size of the buffer.
const void *_Nullable search_find(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull wanted, size_t wanted_count);

/// Returns the first occurrence of a byte sequence in a buffer, ignoring the case of ASCII letters, or a null pointer.
///
/// The time can be proportional to the product of both counts, so the sequence should be short.
///
/// - wanted: The sequence, without uppercase letters.
const void *_Nullable search_find_ignoring_case(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull wanted, size_t wanted_count);

#endif
