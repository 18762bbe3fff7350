#ifndef CPLATFORM_TRANSFERS_H
#define CPLATFORM_TRANSFERS_H

#include <stddef.h>
#include <stdint.h>

/// What is told of a transfer while it runs.
typedef enum {
    /// The request is about to be sent, on a new connection or on one that was there.
    transfer_before_request,
    transfer_header_in,
    transfer_header_out,
    transfer_data_in,
    transfer_data_out,
    /// A remark of libcurl while a body comes in, but for the one after a transfer that left its connection usable.
    transfer_remark,
} transfer_event;

/// Is called with what passes; the bytes are there for the time of the call only.
typedef void (*transfer_observer)(
    void *_Nonnull context, transfer_event event, const uint8_t *_Nullable bytes, size_t count);

/// Whether the libcurl that a library uses can be called, and has all that is used of it; 0 for no.
///
/// Nothing is linked: the functions are looked for where the library has them from. Where others of the same names
/// stand before them, they are not believed. What is found stays for the life of the process.
///
/// - library: The address of something in the library.
int transfer_can_be_observed(const void *_Nonnull library);

/// The observation of one transfer.
typedef struct transfer_observation transfer_observation;

/// Begins to observe the transfer of an easy handle; nothing may use the handle meanwhile.
///
/// - handle: An easy handle of that libcurl, before its transfer begins; it must be there until transfer_end.
/// - context: Goes to the observer with each call.
/// - hides_locations: Whether only the observer sees where redirects go: who uses the handle finds `-ocation`, and
///   follows nothing; 0 for no.
/// - Returns a null pointer when it is not observed.
transfer_observation *_Nullable transfer_observe(
    void *_Nonnull handle, transfer_observer _Nonnull observer, void *_Nonnull context, int hides_locations);

/// Facts of a transfer.
typedef struct {
    /// Since the beginning of the transfer, in microseconds; 0 for what did not happen.
    int64_t name_lookup, connect, app_connect, before_request, total;
    /// The number of connections that were made for it; 0 when it had one that was there.
    long connections;
    /// The port at this end of the connection; 0 when there was none.
    long local_port;
    /// The bytes of the body, before content codings were undone.
    int64_t body_size;
    /// The address of the other end, or of a proxy; empty when there was none.
    char address[64];
} transfer_facts;

/// Ends an observation, which is gone then; nothing may use the handle meanwhile.
///
/// Returns the facts of the transfer.
transfer_facts transfer_end(transfer_observation *_Nonnull observation);

#endif
