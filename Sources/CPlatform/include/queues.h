#ifndef CPLATFORM_QUEUES_H
#define CPLATFORM_QUEUES_H

/// Whether values can be attached to Dispatch queues here; 0 for no.
int queue_can_attach(void);

/// Attaches a value to the Dispatch queue that the caller runs on, in place of what it has under the key.
///
/// - name: The name that the queue must have: nothing is attached to others.
/// - key: An address that nothing else uses as a key.
/// - value: What is attached; not a null pointer.
/// - release: Is called with the value when it is replaced, or when the queue is gone.
/// - Returns 0 when nothing was attached; `release` is not called then.
int queue_attach(
    const char *_Nonnull name, const void *_Nonnull key, void *_Nonnull value,
    void (*_Nonnull release)(void *_Nullable));

/// The value that the queue which the caller runs on has under a key.
///
/// Returns a null pointer when there is none.
void *_Nullable queue_attached(const void *_Nonnull key);

#endif
