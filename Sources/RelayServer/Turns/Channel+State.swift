#if Server
    import Foundation
    import NIOCore

    /// The state that the system knows before the event loop has read all data of a connection.
    ///
    /// It is known on Linux (`TCP_INFO` in tcp(7)).
    extension Channel {
        #if os(Linux)
            /// Whether the other end has reset the connection; `false` if unknown.
            var isReset: Bool { tcpState == Int(TCP_CLOSE) }

            /// Whether the other end has closed or reset the connection; `false` if unknown.
            var isEnding: Bool { tcpState.map { $0 != Int(TCP_ESTABLISHED) } ?? false }

            private var tcpState: Int? {
                let info = try? syncOptions?.getOption(.tcpOption(.init(rawValue: TCP_INFO)))
                // The first byte is the state of the connection.
                return info.map { Int(littleEndian: $0) & 0xff }
            }
        #else
            var isReset: Bool { false }
            var isEnding: Bool { false }
        #endif
    }
#endif
