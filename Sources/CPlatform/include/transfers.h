#ifndef CPLATFORM_TRANSFERS_H
#define CPLATFORM_TRANSFERS_H

#include <stddef.h>
#include <stdint.h>

/// The events of a transfer.
typedef enum {
    /// The request is about to be sent, on a new or a reused connection.
    transfer_before_request,
    transfer_header_in,
    transfer_header_out,
    transfer_data_in,
    transfer_data_out,
} transfer_event;

/// Called for each event. The bytes are valid only during the call.
typedef void (*transfer_observer)(
    void *_Nonnull context, transfer_event event, const uint8_t *_Nullable bytes, size_t count);

/// Whether the copy of libcurl that a library uses can be called and has all required functions.
///
/// This module does not link libcurl, but looks up its functions at run time. Returns 0 if other functions with the
/// same names take precedence in the process. The result is cached until the process exits.
///
/// - library: An address in the library.
int transfer_can_be_observed(const void *_Nonnull library);

/// Returns the versions of that copy of libcurl and its dependencies, such as `libcurl/8.5.0 OpenSSL/3.0.13`, or a null
/// pointer.
///
/// - library: An address in the library.
const char *_Nullable transfer_library_version(const void *_Nonnull library);

/// The observation of one transfer.
typedef struct transfer_observation transfer_observation;

/// Starts observing the transfer of an easy handle, which must not be used during the call.
///
/// - handle: An easy handle of that copy of libcurl, before its transfer starts. Must remain valid until transfer_end.
/// - context: Passed to the observer with each event.
/// - Returns a null pointer if the transfer cannot be observed.
transfer_observation *_Nullable transfer_observe(
    void *_Nonnull handle, transfer_observer _Nonnull observer, void *_Nonnull context);

/// Measurements of a completed transfer.
typedef struct {
    /// The times since the start of the transfer, in microseconds; 0 for phases that were skipped.
    int64_t name_lookup, connect, app_connect, before_request, total;
    /// The number of new connections; 0 if a connection was reused.
    long connections;
    /// The local port of the connection; 0 without a connection.
    long local_port;
    /// The size of the body before content decoding, in bytes.
    int64_t body_size;
    /// The address of the server or proxy; empty without a connection.
    char address[64];
} transfer_facts;

/// Ends and deallocates an observation, and returns the measurements. The handle must not be used during the call.
transfer_facts transfer_end(transfer_observation *_Nonnull observation);

#endif
