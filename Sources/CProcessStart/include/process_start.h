#ifndef RELAY_PROCESS_START_H
#define RELAY_PROCESS_START_H

/// Enforces the network policy of the process. The module RelayURLSession implements this function in Swift.
void relay_process_start(void);

#endif
