#ifndef CPLATFORM_SEARCH_H
#define CPLATFORM_SEARCH_H

#include <stddef.h>

/// Finds the first place of some bytes within others, as memmem does, which no standard has.
///
/// Returns a null pointer when there is none.
const void *_Nullable search_find(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull wanted, size_t wanted_count);

#endif
