#ifndef RELAY_PROCESS_START_H
#define RELAY_PROCESS_START_H

/// Enforces the network policy of the process. Defined in Swift, by the module Relay.
void relay_process_start(void);

#endif
