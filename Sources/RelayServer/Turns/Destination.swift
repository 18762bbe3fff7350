#if Server
    /// The server that a request is for, as a hash of its host and port.
    ///
    /// Work for different servers has equal shares of the time. Collisions only let servers share theirs.
    struct Destination: Hashable {
        /// An unknown destination.
        static let unknown = Destination(hash: 0)

        let hash: Int

        private init(hash: Int) { self.hash = hash }

        /// Creates a destination.
        ///
        /// - Parameter authority: The bytes of a host, with a port unless it is 80 or 443.
        init(_ authority: some BidirectionalCollection<UInt8>) {
            var bytes = authority[...]
            for port in [":443", ":80"] where bytes.reversed().starts(with: port.utf8.reversed()) {
                bytes = bytes.dropLast(port.utf8.count)
            }
            // FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Hosts are compared without case, and IPv6
            // addresses without brackets.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes where byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]") {
                hash = (hash ^ UInt64(byte | 0x20)) &* 0x100_0000_01b3
            }
            self.hash = Int(truncatingIfNeeded: hash)
        }

        /// Creates the destination of a URL.
        init(ofURL url: String) { self = Self.afterScheme(in: url.utf8[...]) ?? .unknown }

        /// Creates the destination of the first request in the input of a connection to a proxy, or returns nil if the input
        /// does not begin with a request to a proxy.
        init?(ofRequestIn input: some BidirectionalCollection<UInt8>) {
            let start = input.prefix(Self.longestStart)
            guard let space = start.prefix(Self.longestMethod).firstIndex(of: UInt8(ascii: " ")) else { return nil }
            let target = start[start.index(after: space)...].prefix { $0 > UInt8(ascii: " ") }
            if start.starts(with: "CONNECT ".utf8) {
                self.init(target)
            } else if let destination = Self.afterScheme(in: target) {
                self = destination
            } else {
                return nil
            }
        }

        private static let longestMethod = 16
        private static let longestStart = 512

        /// Returns the destination of a URL, or nil if the URL has no host.
        private static func afterScheme(in url: some BidirectionalCollection<UInt8>) -> Destination? {
            let scheme = url.prefix(longestMethod).prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
            let rest = url[scheme.endIndex...]
            guard !scheme.isEmpty, rest.starts(with: "://".utf8) else { return nil }
            return Destination(rest.dropFirst(3).prefix { !"/?#".utf8.contains($0) })
        }
    }
#endif
