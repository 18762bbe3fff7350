@_exported public import RelayCore
@_exported public import RelayURLSession
