#ifndef CPLATFORM_QUEUES_H
#define CPLATFORM_QUEUES_H

/// Whether values can be attached to Dispatch queues on this platform.
int queue_can_attach(void);

/// Whether the current Dispatch queue has the given name. Returns 0 if that cannot be determined.
int queue_is_current(const char *_Nonnull name);

/// Attaches a value to the current Dispatch queue, replacing the previous value for the key.
///
/// - name: The required name of the queue. Nothing is attached to a queue with another name.
/// - key: A unique address.
/// - value: The value, which must not be a null pointer.
/// - release: Called with the value when it is replaced or the queue is deallocated.
/// - Returns 0 if nothing was attached, in which case `release` is not called.
int queue_attach(
    const char *_Nonnull name, const void *_Nonnull key, void *_Nonnull value,
    void (*_Nonnull release)(void *_Nullable));

/// Returns the value attached to the current Dispatch queue for a key, or a null pointer.
void *_Nullable queue_attached(const void *_Nonnull key);

#endif
