#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import RelayCore

    /// The reason why a request could not be sent.
    enum UpstreamFailure: Error {
        case unknownHost

        /// The address of the request is the address of this server.
        case loop

        /// The connection to an address failed.
        case unreachable(any Error)

        /// The connection was closed before the end of the response.
        case closed

        /// The target of the request has no valid origin.
        case invalidURL

        /// The method, the target or a header field of the request has characters that HTTP/1 does not allow.
        case invalidRequest

        /// The proxy that environment variables name refuses the request.
        case proxy
    }

    extension NIOConnectionError {
        /// The reason why the name was not resolved, or nil if the connection failed.
        fileprivate var resolution: UpstreamFailure? { (dnsAAAAError ?? dnsAError) as? UpstreamFailure }
    }

    extension ForwardedExchange {
        /// Returns the network error that archives contain for an error of a connection.
        static func recordable(_ error: any Error) -> URLError {
            switch error {
            case let error as URLError: error
            case UpstreamFailure.unknownHost: URLError(.cannotFindHost)
            case UpstreamFailure.loop: URLError(.httpTooManyRedirects)
            case UpstreamFailure.unreachable(is ChannelError): URLError(.timedOut)
            case UpstreamFailure.unreachable: URLError(.cannotConnectToHost)
            case UpstreamFailure.invalidURL, UpstreamFailure.invalidRequest: URLError(.badURL)
            case UpstreamFailure.proxy: URLError(.cannotConnectToHost)
            case HTTPParserError.invalidEOFState: URLError(.networkConnectionLost)
            case is HTTPParserError: URLError(.cannotParseResponse)
            case ChannelError.connectTimeout: URLError(.timedOut)
            case let error as NIOConnectionError: error.resolution.map(recordable) ?? URLError(.cannotConnectToHost)
            case is NIOSSLError, is BoringSSLError: URLError(.secureConnectionFailed)
            case is NIOSSLExtraError: URLError(.serverCertificateUntrusted)
            default: URLError(.networkConnectionLost)
            }
        }

        /// Returns a sentence about an error for the client, without any text from the network.
        static func explanation(of error: any Error, host: String) -> String {
            switch error {
            case UpstreamFailure.unknownHost: "The host '\(host)' was not found."
            case UpstreamFailure.loop:
                "The address of the request is the address of this proxy. Request the URL of another server through it."
            case UpstreamFailure.invalidURL: "The URL has no valid host."
            case UpstreamFailure.invalidRequest:
                "The method, the URL or a header field of the request has characters that HTTP does not allow."
            case UpstreamFailure.proxy:
                "The proxy of https_proxy refuses the connection to '\(host)'. Correct the variable, or unset it."
            case HTTPParserError.invalidEOFState: "The server '\(host)' closed the connection."
            case is HTTPParserError: "The response of '\(host)' violates HTTP."
            case ChannelError.connectTimeout: "The server '\(host)' did not accept a connection in time."
            case UpstreamFailure.unreachable(let cause):
                "The server '\(host)' cannot be reached: \(reason(for: cause))."
            case let error as NIOConnectionError:
                error.resolution.map { explanation(of: $0, host: host) }
                    ?? "The server '\(host)' cannot be reached: \(reason(for: error.connectionErrors.first?.error))."
            case is NIOSSLExtraError, is NIOSSLError, is BoringSSLError:
                """
                The certificate of '\(host)' cannot be verified, or the TLS handshake failed. If you trust the server, \
                name it with --insecure, or its authority with --trust.
                """
            default: "The server '\(host)' closed the connection."
            }
        }

        private static func reason(for cause: (any Error)?) -> String {
            if let cause = cause as? IOError { return String(cString: strerror(cause.errnoCode)) }
            return cause is ChannelError ? "it did not answer in time" : "the name has no address"
        }
    }
#endif
