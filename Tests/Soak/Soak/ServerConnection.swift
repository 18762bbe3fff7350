import Foundation

/// The server's side of a connection, which responds to requests one after another.
struct ServerConnection {
    let socket: Int32

    private var received: [UInt8] = []

    /// The unsent parts of the response, in reverse order.
    private var parts: [LivePlan.Part] = []

    /// The unsent bytes of the current part.
    private var unsent: ArraySlice<UInt8> = []

    /// Whether to close the connection after the response.
    private var closes = false

    /// The time at which the next part is due, in milliseconds, or nil if no part is delayed.
    private(set) var due: Int?

    init(socket: Int32) {
        self.socket = socket
    }

    /// The events to wait for.
    var descriptor: pollfd {
        pollfd(fd: socket, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
    }

    /// Receives and sends as much as possible without blocking.
    ///
    /// - Parameters:
    ///   - events: The events of the socket.
    ///   - now: The time, in milliseconds.
    ///   - seed: The seed of the plans.
    /// - Returns: `false` if the connection must be closed.
    mutating func advance(_ events: Int16, now: Int, seed: UInt64) -> Bool {
        if events != 0, !receive() { return false }
        while true {
            guard send() else { return false }
            guard unsent.isEmpty else { return true }
            if let part = parts.last {
                let time = due ?? now + part.delay
                guard time <= now else {
                    due = time
                    return true
                }
                due = nil
                unsent = part.bytes[...]
                parts.removeLast()
            } else if closes {
                return false
            } else if !begin(seed: seed) {
                return true
            }
        }
    }

    /// Receives the available bytes, and returns `false` if the client closed the connection.
    private mutating func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            received += buffer[..<count]
        }
    }

    /// Sends the bytes that the socket accepts, and returns `false` if the connection is lost.
    private mutating func send() -> Bool {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { bytes in
                Foundation.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            unsent = unsent.dropFirst(count)
        }
        return true
    }

    /// Starts the response to the next request, or returns `false` if the request is incomplete.
    private mutating func begin(seed: UInt64) -> Bool {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return false }
        let head = String(decoding: received[..<end], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let length =
            lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) } ?? 0
        guard received.count >= end + length else { return false }
        let body = received[end..<(end + length)]
        received.removeFirst(end + length)
        let path = lines.first?.split(separator: " ").dropFirst().first ?? ""
        guard let number = path.split(separator: "/").last.flatMap({ Int($0) }) else {
            closes = true
            return true
        }
        let plan = LivePlan(number: number, seed: seed)
        // The server closes the connection after a request with a wrong body, so that the request fails.
        let isIntact = Data(body) == plan.requestBody ?? Data()
        closes = plan.closes || !plan.course.isComplete || !isIntact
        parts = isIntact ? plan.parts(isRedirect: path.hasPrefix("/moved/")).reversed() : []
        return true
    }
}
