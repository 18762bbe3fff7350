import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A loopback port that refuses connections until this object is deallocated.
///
/// No other program can use the port in the meantime.
final class RefusingPort: Sendable {
    let port: UInt16

    private let descriptor: Int32

    init() throws {
        let socket = try LoopbackSocket()
        (descriptor, port) = (socket.descriptor, socket.port)
    }

    deinit { close(descriptor) }

    /// Returns the URL of a path on this port.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
