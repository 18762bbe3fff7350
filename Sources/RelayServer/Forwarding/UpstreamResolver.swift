#if Server
    import Foundation
    import NIOCore
    import NIOPosix

    /// Resolves the name of a server and measures the time.
    ///
    /// All members are used on the event loop.
    final class UpstreamResolver: Resolver, @unchecked Sendable {
        private let turns: WorkTurns

        /// Returns whether an address leads to the server itself, to which nothing is sent.
        private let isOwn: (SocketAddress) -> Bool
        private let ipv6: EventLoopPromise<[SocketAddress]>
        private let ipv4: EventLoopPromise<[SocketAddress]>

        /// The time at which the last answer arrived, or nil if no name was resolved.
        private(set) var end: NIODeadline?

        /// Prepares a resolver for one name.
        init(on loop: any EventLoop, in turns: WorkTurns, except isOwn: @escaping (SocketAddress) -> Bool) {
            self.turns = turns
            self.isOwn = isOwn
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
            NIOThreadPool.singleton.submit { [self] _ in
                let result = Result { try Self.addresses(of: host, port) }
                // Very many names can be resolved at the same time.
                turns.execute { [self] in end(with: result) }
            }
        }

        private func end(with result: Result<[SocketAddress], any Error>) {
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
