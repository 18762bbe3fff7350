#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>

/// Returns a random number that is less than `count`.
size_t choose(size_t count);

/// Only a driver that is linked with OpenSSL has this function.
__attribute__((weak)) void check_certificates(void);

#endif
