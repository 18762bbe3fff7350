import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A live HTTP server on a free loopback port, one exchange a connection.
final class LoopbackServer: Sendable {
    let port: UInt16

    private let listener: Int32
    private let log = Mutex<[String]>([])

    /// The requests so far, from request line to body.
    var requests: [String] { log.withLock { $0 } }

    /// What URLs of the server contain, and no others.
    var keyword: String { "127.0.0.1:\(port)/" }

    /// Starts a server whose answers, from status line to body, are what `respond` makes of whole requests.
    init(_ respond: @escaping @Sendable (_ request: String) -> String) throws {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        listener = descriptor
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                let request = Self.read(connection)
                self?.log.withLock { $0.append(request) }
                let answer = Array(respond(request).utf8)
                _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
                close(connection)
            }
            close(descriptor)
        }
    }

    /// Starts a server that answers every request with JSON that counts.
    static func counting() throws -> LoopbackServer {
        let count = Atomic(0)
        return try LoopbackServer { _ in
            ok(
                "{\"count\": \(count.add(1, ordering: .relaxed).newValue)}",
                headers: "Content-Type: application/json\r\n")
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The address of a path on this server.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The bytes of a response.
    static func ok(_ body: String, headers: String = "") -> String {
        "HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func read(_ connection: Int32) -> String {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
            bytes += buffer[..<count]
            guard let head = bytes.range(of: Data("\r\n\r\n".utf8)) else { continue }
            let fields = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased()
            let length = fields.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }?.dropFirst(15)
            let expected = length.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
            if bytes.count - head.upperBound >= expected { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
