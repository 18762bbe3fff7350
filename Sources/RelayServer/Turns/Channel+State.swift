#if Server
    import Foundation
    import NIOCore

    /// The state that the system knows before the event loop has read all data of a connection (`TCP_INFO` in tcp(7)).
    extension Channel {
        /// Whether the other end has reset the connection; `false` on other platforms than Linux.
        var isReset: Bool { tcpState == TCP_CLOSE }

        /// Whether the other end has closed or reset the connection; `false` on other platforms than Linux.
        var isEnding: Bool { tcpState.map { $0 != TCP_ESTABLISHED } ?? false }

        private var tcpState: Int? {
            #if os(Linux)
                let info = try? syncOptions?.getOption(.tcpOption(.init(rawValue: TCP_INFO)))
                // The first byte is the state of the connection.
                return info.map { Int(littleEndian: $0) & 0xff }
            #else
                return nil
            #endif
        }
    }
#endif
