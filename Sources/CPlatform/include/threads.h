#ifndef CPLATFORM_THREADS_H
#define CPLATFORM_THREADS_H

/// Has the thread that calls this give way to all others from now on, where threads have a priority of their own.
///
/// There is no way back without privileges.
void thread_give_way(void);

#endif
