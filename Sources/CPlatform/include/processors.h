#ifndef CPLATFORM_PROCESSORS_H
#define CPLATFORM_PROCESSORS_H

/// The number of processors that the process may use: fewer than there are under `taskset`, for example; at least 1.
int processors_available(void);

#endif
