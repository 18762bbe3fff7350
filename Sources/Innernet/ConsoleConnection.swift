import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An HTTP client for a program on this machine.
///
/// It opens a connection to 127.0.0.1 for each exchange.
///
/// Unlike a URL session, this client does not use proxies from the environment or follow redirects to other machines.
/// It limits the time and the size of each response.
///
/// Requests use HTTP/1.0, so the response is never chunked and ends when the connection closes (RFC 9112, section 6.1,
/// https://www.rfc-editor.org/rfc/rfc9112#section-6.1).
struct ConsoleConnection: Sendable {
    let port: Int

    /// The time limit of the whole exchange.
    let timeLimit: Duration

    /// The maximum size of a response, including its head, in bytes.
    var maximumSize = 16 << 20

    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path and the query, percent-encoded.
    ///   - body: A JSON body, or nil (the default) for none.
    /// - Returns: The body and the head of the response.
    /// - Throws: `URLError` with the code `timedOut`, `cannotConnectToHost`, `networkConnectionLost`,
    ///   `dataLengthExceedsMaximum`, or `badServerResponse`.
    func response(to method: String, _ path: String, body: Data? = nil) async throws -> (Data, HTTPURLResponse) {
        var head = "\(method) \(path) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n"
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        let request = Data((head + "\r\n").utf8) + (body ?? Data())
        let bytes = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try exchange(request) }) }
        }
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)"), let response = parse(bytes, of: url) else {
            throw URLError(.badServerResponse)
        }
        return response
    }

    /// Sends bytes and returns all bytes received until the connection closes.
    private func exchange(_ request: Data) throws -> Data {
        let end = ContinuousClock.now + timeLimit
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = socket(AF_INET, stream, 0)
        guard socket >= 0, let port = in_port_t(exactly: port) else { throw URLError(.cannotConnectToHost) }
        defer { close(socket) }
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 || errno == EINPROGRESS else { throw URLError(.cannotConnectToHost) }
        try send(request, to: socket, until: end)
        return try receive(from: socket, until: end)
    }

    private func send(_ request: Data, to socket: Int32, until end: ContinuousClock.Instant) throws {
        #if canImport(Darwin)
            let noSignal: Int32 = 0
        #else
            let noSignal = Int32(truncatingIfNeeded: Int(MSG_NOSIGNAL))
        #endif
        var rest = request
        while !rest.isEmpty {
            try wait(for: POLLOUT, on: socket, until: end)
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, noSignal) }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else {
                throw URLError(errno == ECONNREFUSED ? .cannotConnectToHost : .networkConnectionLost)
            }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(from socket: Int32, until end: ContinuousClock.Instant) throws -> Data {
        var response = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try wait(for: POLLIN, on: socket, until: end)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count >= 0 else { throw URLError(.networkConnectionLost) }
            if count == 0 { return response }
            response += buffer[..<count]
            guard response.count <= maximumSize else { throw URLError(.dataLengthExceedsMaximum) }
        }
    }

    private func wait(for event: Int32, on socket: Int32, until end: ContinuousClock.Instant) throws {
        let left = (end - .now) / .milliseconds(1)
        var descriptor = pollfd(fd: socket, events: Int16(event), revents: 0)
        guard left > 0, poll(&descriptor, 1, Int32(clamping: Int(clamping: left.rounded(.up)))) != 0 else {
            throw URLError(.timedOut)
        }
    }

    /// Parses a response, or returns nil if the bytes are invalid or truncated.
    private func parse(_ bytes: Data, of url: URL) -> (Data, HTTPURLResponse)? {
        guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let status = (lines.first ?? "").split(separator: " ")
        guard status.count > 1, status[0].hasPrefix("HTTP/1."), let code = Int(status[1]) else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let field = FieldLine(line[...]) else { return nil }
            let name = String(field.name)
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? String(field.value)
        }
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: code, httpVersion: String(status[0]), headerFields: fields)
        else { return nil }
        var body = bytes[end.upperBound...]
        if let length = head.value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) }) {
            guard body.count >= length else { return nil }
            body = body.prefix(length)
        }
        return (Data(body), head)
    }
}
