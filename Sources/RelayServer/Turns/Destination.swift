#if Server
    /// The server to which a request is sent, as a hash of its host and port.
    ///
    /// Work for different servers has equal shares of the time. Collisions only let servers share theirs.
    struct Destination: Hashable {
        /// An unknown destination.
        static let unknown = Destination(hash: 0)

        let hash: Int

        /// The group of the recordings of exchanges with the server; nil (all groups) if it is unknown.
        var group: Int? { self == .unknown ? nil : hash }

        private init(hash: Int) { self.hash = hash }

        /// Creates the destination of a host, with a port unless it is 80 or 443.
        init(_ authority: String) {
            var authority = authority
            self = authority.withUTF8 { Self(UnsafeRawBufferPointer($0), from: 0) }
        }

        /// Creates the destination of a URL.
        init(ofURL url: String) {
            var url = url
            self = url.withUTF8 { Self(ofURLIn: UnsafeRawBufferPointer($0), from: 0) } ?? .unknown
        }

        /// Creates the destination of the first request in the input of a connection to a proxy, or returns nil if the input
        /// does not begin with a request to a proxy.
        init?(ofRequestIn input: UnsafeRawBufferPointer) {
            guard let space = input.prefix(Self.longestName).firstIndex(of: UInt8(ascii: " ")) else { return nil }
            if input.starts(with: "CONNECT ".utf8) {
                self.init(input, from: space + 1)
            } else {
                self.init(ofURLIn: input, from: space + 1)
            }
        }

        /// The maximum length of a method or scheme.
        private static let longestName = 16

        /// Creates the destination of a URL in a text, or returns nil if the URL has no host.
        private init?(ofURLIn text: UnsafeRawBufferPointer, from start: Int) {
            var end = start
            let limit = min(start + Self.longestName, text.count)
            while end < limit, UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[end] | 0x20 { end += 1 }
            guard end > start, text[end...].starts(with: "://".utf8) else { return nil }
            self.init(text, from: end + 3)
        }

        /// Creates the destination of the authority in a text.
        private init(_ text: UnsafeRawBufferPointer, from start: Int) {
            var end = start
            while end < text.count, Self.isOfAuthority(text[end]) { end += 1 }
            if text[start..<end].suffix(4).elementsEqual(":443".utf8) { end -= 4 }
            if text[start..<end].suffix(3).elementsEqual(":80".utf8) { end -= 3 }
            // FNV-1a (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv). Hosts are compared without case, and IPv6
            // addresses without brackets.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in text[start..<end] where byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]") {
                hash = (hash ^ UInt64(byte | 0x20)) &* 0x100_0000_01b3
            }
            self.hash = Int(truncatingIfNeeded: hash)
        }

        private static func isOfAuthority(_ byte: UInt8) -> Bool {
            switch byte {
            case ...UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): false
            default: true
            }
        }
    }
#endif
