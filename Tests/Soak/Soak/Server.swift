import Foundation

/// A system call that failed.
struct CallError: Error {
    let call: String
    let number = errno
}

/// A single-threaded HTTP server on a free loopback port, whose responses follow the plan of each request.
final class Server: Sendable {
    let port: UInt16

    /// A port that refuses connections.
    let refusingPort: UInt16

    /// Starts a server.
    ///
    /// - Parameter seed: The seed of the plans.
    /// - Throws: A ``CallError``.
    init(seed: UInt64) throws {
        let listener: Int32
        (listener, port) = try Self.bind()
        // The port stays bound, so that no other program can listen on it.
        (_, refusingPort) = try Self.bind()
        guard listen(listener, 1_024) == 0 else { throw CallError(call: "listen") }
        let thread = Thread { Self.serve(listener, seed: seed) }
        thread.name = "server"
        thread.start()
    }

    /// Returns a new socket with a free port.
    private static func bind() throws -> (socket: Int32, port: UInt16) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard Foundation.bind(socket, address, length) == 0 else { throw CallError(call: "bind") }
                guard getsockname(socket, address, &length) == 0 else { throw CallError(call: "getsockname") }
            }
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private static func serve(_ listener: Int32, seed: UInt64) {
        var connections: [ServerConnection] = []
        while true {
            var descriptors = connections.map(\.descriptor)
            descriptors.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            let due = connections.compactMap(\.due).min()
            let wait = due.map { max(0, $0 - milliseconds()) } ?? -1
            poll(&descriptors, nfds_t(descriptors.count), Int32(wait))
            var isOpen = true
            let now = milliseconds()
            for index in connections.indices.reversed() {
                isOpen = connections[index].advance(descriptors[index].revents, now: now, seed: seed)
                if !isOpen {
                    close(connections[index].socket)
                    connections.swapAt(index, connections.count - 1)
                    connections.removeLast()
                }
            }
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                _ = fcntl(socket, F_SETFL, O_NONBLOCK)
                var yes: Int32 = 1
                setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                connections.append(ServerConnection(socket: socket))
            }
        }
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
