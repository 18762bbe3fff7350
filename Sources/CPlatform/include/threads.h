#ifndef CPLATFORM_THREADS_H
#define CPLATFORM_THREADS_H

/// Sets the lowest priority for the current thread, on platforms with priorities per thread.
///
/// Without privileges, this cannot be undone.
void thread_give_way(void);

#endif
