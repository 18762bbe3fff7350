import Foundation
import HTTPArchive

/// What the network says of an exchange, besides what it gives to the caller; what is unknown is `nil`.
struct TransferFacts: Sendable {
    /// The fields that were sent, those that the network added included.
    var requestHeaders: [HeaderField]?

    /// What came before the body, of the last answer where there were several.
    var head: LiveExchange.Head?

    /// How it went over the wire.
    var wire = LiveExchange.Wire()

    var timings: HAR.Timings?
}

extension LiveExchange {
    /// Takes over what is known for certain.
    mutating func take(_ facts: TransferFacts) {
        if let headers = facts.requestHeaders { request.headers = headers }
        if let head = facts.head { self.head = head }
        if let timings = facts.timings { self.timings = timings }
        wire = facts.wire
    }
}

extension Duration {
    /// The duration in milliseconds, with their fractions.
    var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}
