import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An HTTP server on a free loopback port that handles each connection on its own thread.
///
/// Each connection carries one exchange.
final class LoopbackServer: Sendable {
    /// A request as the server received it.
    struct Request: Sendable {
        var head = ""
        var body = Data()

        var target: String { head.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    let port: UInt16

    private let listener: Int32
    private let log = Log<Request>()

    /// All requests so far, in order of arrival.
    var requests: [Request] { log.events }

    /// Starts a server that sends the text returned by `respond` as the complete response, including the status line.
    convenience init(_ respond: @escaping @Sendable (Request) -> String) throws {
        try self.init(inPieces: { request, send in send(respond(request)) })
    }

    /// Starts a server that lets `respond` send the complete response, including the status line, in chunks.
    init(inPieces respond: @escaping @Sendable (Request, _ send: (String) -> Void) -> Void) throws {
        _ = Self.hasRaisedFileLimit
        let socket = try LoopbackSocket()
        let descriptor = socket.descriptor
        guard listen(descriptor, 128) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        (listener, port) = (descriptor, socket.port)
        Thread.detachNewThread { [log] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Thread.detachNewThread {
                    let request = Self.read(connection)
                    log.append(request)
                    respond(request) { Self.write($0, to: connection) }
                    close(connection)
                }
            }
            close(descriptor)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Whether the limit on open files was raised.
    ///
    /// Its default is usually 1,024, or 256 on macOS. Each session keeps sockets and other file descriptors open until
    /// it is deallocated, and tests run in parallel.
    private static let hasRaisedFileLimit: Bool = {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 10_000 else { return false }
        limit.rlim_cur = min(10_000, limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }()

    /// Returns the URL of a path on this server.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Returns the text of a response with status 200.
    static func ok(_ body: String, headers: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func read(_ connection: Int32) -> Request {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let head = bytes.range(of: end) {
                let text = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
                let body = bytes[head.upperBound...]
                if isComplete(body, head: text) { return Request(head: text, body: Data(body)) }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return Request() }
            bytes += buffer[..<count]
        }
    }

    private static func isComplete(_ body: Data, head: String) -> Bool {
        let fields = head.lowercased().split(separator: "\r\n")
        if fields.contains("transfer-encoding: chunked") { return body.suffix(5) == Data("0\r\n\r\n".utf8) }
        let length = fields.first { $0.hasPrefix("content-length:") }?.dropFirst(15)
        return body.count >= length.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    private static func write(_ text: String, to connection: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

#if canImport(Darwin)
    private let noSignal: Int32 = 0
#else
    private let noSignal = Int32(truncatingIfNeeded: Int(MSG_NOSIGNAL))
#endif
