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

    /// How it went over the wire; what is unknown is `nil`.
    struct Wire: Sendable {
        /// The version of the protocol, such as `HTTP/1.1` or `HTTP/2`.
        var httpVersion: String?

        /// The sizes of the parts, in bytes.
        var requestHeadersSize: Int?
        var requestBodySize: Int?
        var responseHeadersSize: Int?

        /// With its content coding, before it was decoded.
        var responseBodySize: Int?

        /// The address of the server, such as `127.0.0.1`.
        var serverIPAddress: String?

        /// What names the connection among those of the process: the port at this end.
        var connection: String?
    }

    /// How the time was spent, in milliseconds, in the terms of HAR 1.2
    /// (http://www.softwareishard.com/blog/har-12-spec/#timings); what is unknown or did not happen is `nil`.
    struct Timings: Sendable {
        var blocked: Double?
        var dns: Double?
        var connect: Double?
        var send: Double?
        var wait: Double?
        var receive: Double?

        /// A part of ``connect``.
        var ssl: Double?
    }

    /// The request as it was sent: at the place that it was sent to, with the fields that the network added.
    var request: InterceptedRequest

    /// When the request began.
    var start: Date

    /// `nil` when nothing came.
    var head: Head?

    /// Where the answer came from in the end, if a session has followed redirects; `nil` where the request was sent.
    var clientURL: String?

    /// The body without content and transfer codings; as much of it as came.
    var body: SpooledBody

    /// Why the exchange broke off; `nil` for one that is whole.
    var error: (any Error)?

    /// How the time was spent; what could not be measured is `nil`.
    var timings = Timings()

    /// What is known of its way over the wire.
    var wire = Wire()
}
