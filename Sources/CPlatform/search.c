#define _GNU_SOURCE

#include "search.h"

#include <string.h>

const void *search_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    return memmem(bytes, count, wanted, wanted_count);
}
