import Foundation
import HTTPArchive

/// What became of one request: what was asked, where the answer came from, and how long it took.
///
/// A request that was redirected is an exchange, and each request that follows is another one.
public struct ObservedExchange: Sendable {
    /// Where the answer to a request came from.
    public enum Source: Hashable, Sendable {
        /// An archive, with the place of the entry in it, counted from 0.
        case archive(name: String, entry: Int)

        /// Code, of the rule with that pattern.
        case stub(String)

        /// The network.
        case network

        /// Nowhere: no rule and no entry is for the request.
        case nothing
    }

    /// The request as it was made.
    public let request: InterceptedRequest

    /// Where the answer came from.
    public let source: Source

    /// The status of the response, or the error in its place.
    public let result: Result<Int, any Error>

    /// The number of bytes of the body that were delivered.
    public let bodySize: Int

    /// The time from when the request was seen to the end of its answer.
    public let duration: Duration

    /// The URL of the request without secrets, for messages.
    package var maskedURL: String { SecretNames.masked(url: request.url) }

    /// The exchange with its request as messages show it.
    func shown(by messages: MessageRedaction) -> ObservedExchange {
        ObservedExchange(
            request: messages.shown(request), source: source, result: result, bodySize: bodySize, duration: duration)
    }
}

extension ObservedExchange.Source: CustomStringConvertible {
    /// Such as `shop.har, entry 4`.
    public var description: String {
        switch self {
        case .archive(let name, let entry): "\(name), entry \(entry)"
        case .stub(let pattern): "a stub for \(pattern)"
        case .network: "the network"
        case .nothing: "nothing"
        }
    }
}

extension ObservedExchange: CustomStringConvertible {
    /// A line without secrets, such as `GET http://a/ → 200, 12 bytes from shop.har, entry 4, in 0.003 s`.
    public var description: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(bodySize) bytes"
            case .failure(let error): "\(type(of: error)) \((error as NSError).code)"
            }
        let time = duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
        return "\(request.method) \(maskedURL) → \(outcome) from \(source), in \(time)"
    }
}
