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

    var timings: LiveExchange.Timings?
}

extension Duration {
    /// The duration in milliseconds, with their fractions.
    var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}
