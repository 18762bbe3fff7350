#ifndef CPLATFORM_PROCESSORS_H
#define CPLATFORM_PROCESSORS_H

/// Returns the number of processors available to the process, at least 1. Tools such as `taskset` can limit this
/// number.
int processors_available(void);

#endif
