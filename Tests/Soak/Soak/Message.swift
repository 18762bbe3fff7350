import Foundation

/// The expected response to a request, which contains the number of the request or of the entry.
struct Message: Equatable, Sendable {
    /// The name of the header field with the number.
    static let field = "X-Number"

    let number: Int
    var status = 200
    var type = "text/plain"
    var body: Data

    /// Creates a message with a body that repeats the number.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - status: The status; 200 by default.
    ///   - size: The size of the body, in bytes.
    ///   - isBinary: Whether the body is binary, so that an archive stores it in Base64; `false` by default.
    init(number: Int, status: Int = 200, size: Int, isBinary: Bool = false) {
        self.number = number
        self.status = status
        let line = Data("the response to request \(number)\n".utf8)
        var body = Data(capacity: size + line.count)
        if isBinary { body.append(contentsOf: [0x00, 0xFF, 0xFE, 0x80]) }
        while body.count < size { body.append(line) }
        self.body = body.prefix(size)
        if isBinary { type = "application/octet-stream" }
    }

    /// Creates a message with a given body.
    init(number: Int, body: Data) {
        self.number = number
        self.body = body
    }
}
