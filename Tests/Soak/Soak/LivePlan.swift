import Foundation

/// The server's response to one request, determined by the seed and the request's number.
struct LivePlan: Sendable {
    /// The way in which the server sends a response.
    enum Course: Sendable {
        /// A response with a Content-Length, or with chunked transfer coding.
        case whole, chunked

        /// A redirect to the response.
        case redirected

        /// The connection is refused.
        case refused

        /// The connection is closed in the middle of the body.
        ///
        /// Closing it earlier causes failures in FoundationNetworking, even without Relay. During the header section,
        /// FoundationNetworking crashes: "Transfer completed, but there's no response" (`NativeProtocol.swift`). Before
        /// the header section, libcurl repeats the request on a reused connection, and some of these requests time out.
        case closedInBody, closedInChunks

        /// Whether the client receives the response.
        var isComplete: Bool {
            switch self {
            case .whole, .chunked, .redirected: true
            case .refused, .closedInBody, .closedInChunks: false
            }
        }
    }

    /// A part of a response.
    struct Part: Sendable {
        /// The time before this part, in milliseconds.
        let delay: Int

        let bytes: [UInt8]
    }

    let number: Int
    let course: Course
    let message: Message
    let delay: Int
    let gap: Int

    /// Whether the server closes the connection after a complete response.
    let closes: Bool

    /// The body of the request, or nil for a GET request.
    let requestBody: Data?

    init(number: Int, seed: UInt64) {
        var generator = SeededNumbers(seed: seed, number: number)
        self.number = number
        course =
            switch Double.random(in: 0..<1, using: &generator) {
            case ..<0.75: .whole
            case ..<0.93: .chunked
            case ..<0.96: .redirected
            case ..<0.97: .refused
            case ..<0.985: .closedInBody
            default: .closedInChunks
            }
        let size =
            switch Double.random(in: 0..<1, using: &generator) {
            case ..<0.05: 0
            case ..<0.98: Int.random(in: 1..<2_000, using: &generator)
            default: Int.random(in: 20_000..<200_000, using: &generator)
            }
        message = Message(
            number: number, status: generator.happens(0.02) ? 500 : 200,
            size: course.isComplete ? size : max(size, 100), isBinary: generator.happens(0.1))
        delay = generator.happens(0.25) ? Int.random(in: 0...20, using: &generator) : 0
        gap = generator.happens(0.2) ? Int.random(in: 1...20, using: &generator) : 0
        closes = generator.happens(0.05)
        requestBody =
            course != .redirected && generator.happens(0.1) ? Data("the body of request \(number)".utf8) : nil
    }

    /// The path of the initial request.
    var path: String { course == .redirected ? "/moved/\(number)" : "/items/\(number)" }

    /// The location of a redirect.
    var location: String { "/items/\(number)" }

    /// The header field that announces the end of the connection, or an empty string.
    private var connection: String { closes ? "Connection: close\r\n" : "" }

    /// Returns the parts of the response.
    ///
    /// - Parameter isRedirect: Whether the response is a redirect to the actual response.
    /// - Returns: The parts, in order.
    func parts(isRedirect: Bool) -> [Part] {
        if isRedirect {
            let head = "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n"
            return [Part(delay: delay, bytes: Array((head + connection + "\r\n").utf8))]
        }
        let isChunked = course == .chunked || course == .closedInChunks
        var head = "HTTP/1.1 \(message.status) \(message.status == 200 ? "OK" : "Internal Server Error")\r\n"
        head += "Content-Type: \(message.type)\r\n\(Message.field): \(number)\r\n"
        head += isChunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: \(message.body.count)\r\n"
        head += connection + "\r\n"
        let body = [UInt8](message.body)
        switch course {
        case .closedInBody: return [Part(delay: delay, bytes: Array(head.utf8) + body.prefix(body.count / 2))]
        case .whole, .redirected, .refused: return [Part(delay: delay, bytes: Array(head.utf8) + body)]
        case .chunked, .closedInChunks:
            let size = max(1, body.count / 3)
            var parts = [Part(delay: delay, bytes: Array(head.utf8))]
            for start in stride(from: 0, to: body.count, by: size) {
                let chunk = body[start..<min(start + size, body.count)]
                let size = Array("\(String(chunk.count, radix: 16))\r\n".utf8)
                parts.append(Part(delay: gap, bytes: size + chunk + [13, 10]))
            }
            if course == .chunked { parts.append(Part(delay: gap, bytes: Array("0\r\n\r\n".utf8))) }
            return course == .chunked ? parts : Array(parts.dropLast())
        }
    }
}
