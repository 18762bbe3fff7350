#ifndef RELAY_PROCESS_START_H
#define RELAY_PROCESS_START_H

/// Enforces the network policy of the process; implemented in Swift, in the module RelayURLSession.
void relay_process_start(void);

#endif
