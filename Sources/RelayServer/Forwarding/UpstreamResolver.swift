#if Server
    import Foundation
    import NIOCore
    import NIOPosix

    /// Resolves the name of a server and measures the time.
    ///
    /// All members are used on the event loop.
    final class UpstreamResolver: Resolver, @unchecked Sendable {
        private let loop: any EventLoop

        /// The address that the server itself listens on, to which nothing is sent.
        private let own: SocketAddress?
        private let ipv6: EventLoopPromise<[SocketAddress]>
        private let ipv4: EventLoopPromise<[SocketAddress]>

        /// The time at which the last answer arrived, or nil if no name was resolved.
        private(set) var end: NIODeadline?

        /// Prepares a resolver for one name.
        init(on loop: any EventLoop, except own: SocketAddress?) {
            self.loop = loop
            self.own = own
            ipv6 = loop.makePromise()
            ipv4 = loop.makePromise()
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            resolve(host, port)
            return ipv6.futureResult
        }

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { ipv4.futureResult }

        func cancelQueries() {}

        private func resolve(_ host: String, _ port: Int) {
            let addresses = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try Self.addresses(of: host, port) }
            addresses.whenComplete { [self] result in
                end = .now()
                switch result {
                case .success(let found) where found.contains(where: isOwn):
                    ipv6.fail(UpstreamFailure.loop)
                    ipv4.fail(UpstreamFailure.loop)
                case .success(let found):
                    ipv6.succeed(found.filter { $0.protocol == .inet6 })
                    ipv4.succeed(found.filter { $0.protocol == .inet })
                case .failure(let error):
                    ipv6.fail(error)
                    ipv4.fail(error)
                }
            }
        }

        /// Returns whether a connection to an address would reach this server.
        private func isOwn(_ address: SocketAddress) -> Bool {
            guard let own, address.port == own.port, let ip = address.ipAddress, let listening = own.ipAddress else {
                return false
            }
            let isAny = listening == "0.0.0.0" || listening == "::"
            let isLoopback = ip.hasPrefix("127.") || ip == "::1" || ip == "0.0.0.0" || ip == "::"
            return ip == listening || isLoopback && (isAny || listening.hasPrefix("127.") || listening == "::1")
        }

        private static func addresses(of host: String, _ port: Int) throws -> [SocketAddress] {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var first: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), &hints, &first) == 0 else { throw UpstreamFailure.unknownHost }
            defer { freeaddrinfo(first) }
            var found: [SocketAddress] = []
            var next = first
            while let info = next {
                defer { next = info.pointee.ai_next }
                switch NIOBSDSocket.AddressFamily(rawValue: info.pointee.ai_family) {
                case .inet:
                    info.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        found.append(SocketAddress($0.pointee))
                    }
                case .inet6:
                    info.pointee.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        found.append(SocketAddress($0.pointee))
                    }
                default: break
                }
            }
            return found
        }
    }
#endif
