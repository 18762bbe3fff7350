import Foundation
import HTTPArchive

/// One request that went to the network and what came of it: what a recorder is given.
///
/// A redirect is an exchange of its own, and so is each request that follows it.
struct LiveExchange: Sendable {
    /// What came back before the body.
    struct Head: Sendable {
        /// The status code.
        var status: Int

        /// The reason phrase; empty with HTTP/2 and later.
        var statusText = ""

        /// The fields in the order in which they came, repeated ones as often as they came.
        var headers: [HeaderField]
    }

    /// The request as it was sent: at the place that it was sent to, with the fields that the network added.
    var request: InterceptedRequest

    /// When the request began.
    var start: Date

    /// The version of the protocol, such as `HTTP/1.1` or `HTTP/2`; empty when it is unknown.
    var httpVersion = ""

    /// `nil` when nothing came.
    var head: Head?

    /// Where the answer came from in the end, if a session has followed redirects; `nil` where the request was sent.
    var clientURL: String?

    /// The body without content and transfer codings; as much of it as came.
    var body: SpooledBody

    /// Why the exchange broke off; `nil` for one that is whole.
    var error: (any Error)?

    /// How the time was spent; what could not be measured is `nil`.
    var timings = HAR.Timings()

    /// The sizes of the parts on the wire, in bytes; `nil` when they are unknown.
    var requestHeadersSize: Int?
    var requestBodySize: Int?
    var responseHeadersSize: Int?

    /// With its content coding, before it was decoded.
    var responseBodySize: Int?

    /// The address of the server, such as `127.0.0.1`; `nil` when it is unknown.
    var serverIPAddress: String?

    /// What names the connection among those of the process; `nil` when it is unknown.
    var connection: String?
}
