import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A server on a free loopback port that responds with the text of each request, from request line to body.
///
/// `/missing` has the status 404, and `/redirect` redirects to `/target`. `/silent` sends nothing, and `/incomplete` sends
/// only a part of the body, until the client closes the connection.
final class EchoServer: Sendable {
    private static let end = Data("\r\n\r\n".utf8)

    let port: UInt16
    private let listener: Int32

    /// Starts a server.
    init() throws {
        let socket = try LoopbackSocket()
        let descriptor = socket.descriptor
        guard listen(descriptor, 128) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        (listener, port) = (descriptor, socket.port)
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Thread.detachNewThread {
                    Self.answer(connection)
                    close(connection)
                }
            }
            close(descriptor)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Returns the URL of a path on this server.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func answer(_ connection: Int32) {
        let connection = FileHandle(fileDescriptor: connection)
        var request = Data()
        while !isComplete(request) {
            let piece = connection.availableData
            guard !piece.isEmpty else { return }
            request += piece
        }
        let target = String(decoding: request, as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
        let isIncomplete = target == "/incomplete"
        if isIncomplete {
            try? connection.write(contentsOf: Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart".utf8))
        }
        if isIncomplete || target == "/silent" {
            while !connection.availableData.isEmpty {}
            return
        }
        let start =
            switch target {
            case "/missing": "404 Not Found"
            case "/redirect": "302 Found\r\nLocation: /target"
            default: "200 OK"
            }
        let isHead = request.starts(with: Data("HEAD ".utf8))
        let head = "HTTP/1.1 \(start)\r\nContent-Type: text/plain\r\nContent-Length: \(request.count)\r\n\r\n"
        try? connection.write(contentsOf: Data(head.utf8) + (isHead ? Data() : request))
    }

    private static func isComplete(_ request: Data) -> Bool {
        guard let head = request.range(of: end) else { return false }
        let fields = String(decoding: request[..<head.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = fields.first { $0.hasPrefix("content-length:") }?.dropFirst(15)
        let count = length.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
        return request[head.upperBound...].count >= count
    }
}
