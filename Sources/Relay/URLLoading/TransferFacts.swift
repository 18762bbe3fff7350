import Foundation
import HTTPArchive

/// What the network says of an exchange, besides what it gives to the caller; what is unknown is `nil`.
struct TransferFacts: Sendable {
    /// The fields that were sent, those that the network added included.
    var requestHeaders: [HeaderField]?

    /// What came before the body, of the last answer where there were several.
    var head: LiveExchange.Head?

    /// The version of the protocol, such as `HTTP/1.1`.
    var httpVersion: String?

    /// The sizes on the wire, in bytes.
    var requestHeadersSize: Int?
    var requestBodySize: Int?
    var responseHeadersSize: Int?
    var responseBodySize: Int?

    /// The address of the server.
    var serverIPAddress: String?

    /// What names the connection among those of the process: the port at this end.
    var connection: String?

    var timings: HAR.Timings?
}

extension LiveExchange {
    /// Takes over what is known for certain.
    mutating func take(_ facts: TransferFacts) {
        if let headers = facts.requestHeaders { request.headers = headers }
        if let head = facts.head { self.head = head }
        if let version = facts.httpVersion { httpVersion = version }
        if let timings = facts.timings { self.timings = timings }
        requestHeadersSize = facts.requestHeadersSize
        requestBodySize = facts.requestBodySize
        responseHeadersSize = facts.responseHeadersSize
        responseBodySize = facts.responseBodySize
        serverIPAddress = facts.serverIPAddress
        connection = facts.connection
    }
}

extension Duration {
    /// The duration in milliseconds, with their fractions.
    var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}
