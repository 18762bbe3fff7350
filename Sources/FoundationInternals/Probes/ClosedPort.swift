#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if !canImport(Darwin)
    /// A loopback port that refuses connections.
    ///
    /// No other socket can use the port while this object exists.
    final class ClosedPort: Sendable {
        private let descriptor: CInt

        /// The port number.
        ///
        /// If no port can be reserved, this is 1, a port that servers rarely use.
        let number: UInt16

        init() {
            #if canImport(Glibc)
                descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            #else
                descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
            #endif
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
                }
            }
            number = isBound ? UInt16(bigEndian: address.sin_port) : 1
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }
#endif
