#if Server
    import Foundation
    import NIOCore
    import Synchronization

    /// A body and its share in the total size of all bodies, which ends when this object is deallocated.
    ///
    /// It is used on the server's event loop, but can be deallocated on any thread after the body is complete.
    final class BodyShare: @unchecked Sendable {
        private let server: ServerState
        private var refuse: ((Rejection) -> Void)?
        private(set) var size = 0

        /// The part of the body that has been received.
        ///
        /// A property of a class is not copied when a part is appended.
        private var body = Data()

        /// The size up to which a body may use the last eighth of the total size, in bytes.
        private static let smallSize = 1 << 16

        /// Creates the share of a body that is being received.
        ///
        /// - Parameters:
        ///   - server: The server.
        ///   - refuse: A closure that rejects the request, to make room for smaller bodies.
        init(of server: ServerState, refuse: @escaping (Rejection) -> Void) {
            self.server = server
            self.refuse = refuse
        }

        /// Creates the share of a complete body, or returns nil if other bodies use the rest of the total size.
        init?(of server: ServerState, size: Int) {
            self.server = server
            self.size = size
            refuse = nil
            if !fits(server.bodySize.add(size, ordering: .relaxed).newValue) { return nil }
        }

        deinit {
            let body = takeBody()
            server.bodySize.subtract(size, ordering: .relaxed)
            // Giving much memory back to the system takes milliseconds, and many connections can end at the same time.
            if body.count > Self.smallSize { DispatchQueue.global().async { withExtendedLifetime(body) {} } }
        }

        /// Appends a part to a body that is being received.
        ///
        /// If the total size is exceeded, the largest body that is being received is refused.
        ///
        /// - Throws: A rejection if this body is the largest one.
        func append(_ part: ByteBuffer) throws(Rejection) {
            let count = part.readableBytes
            part.withUnsafeReadableBytes { body.append(contentsOf: $0) }
            size += count
            server.receivedBodies[ObjectIdentifier(self)] = (size, refuse)
            var total = server.bodySize.add(count, ordering: .relaxed).newValue
            while !fits(total) {
                let rejection = Rejection(
                    503,
                    "bodies of more than \(server.limits.totalBodySize) bytes in all requests; try again later, or raise "
                        + "the limit with totalBodySize or --max-body")
                guard let largest = server.receivedBodies.max(by: { $0.value.size < $1.value.size }),
                    largest.key != ObjectIdentifier(self)
                else { throw rejection }
                server.receivedBodies[largest.key] = nil
                largest.value.refuse?(rejection)
                total = server.bodySize.load(ordering: .relaxed)
            }
        }

        /// Ends the reception, and returns the body.
        func takeBody() -> Data {
            if refuse != nil {
                refuse = nil
                server.receivedBodies[ObjectIdentifier(self)] = nil
            }
            defer { body = Data() }
            return body
        }

        private func fits(_ total: Int) -> Bool {
            let limit = server.limits.totalBodySize
            return total == size || total <= (size > min(Self.smallSize, limit / 8) ? limit - limit / 8 : limit)
        }
    }

    /// The time by which the next part of a body must arrive, according to a minimum rate.
    struct BodyDeadline {
        private let time: TimeAmount
        private let rate: Int
        private var end: NIODeadline

        /// Begins with the first part.
        ///
        /// - Parameters:
        ///   - time: The maximum time without a part.
        ///   - rate: The minimum average rate, in bytes per second.
        ///   - now: The current time.
        init(_ time: TimeAmount, rate: Int, at now: NIODeadline) {
            self.time = time
            self.rate = max(1, rate)
            end = now + time
        }

        /// Extends the time by the time for a number of bytes at the minimum rate.
        mutating func receive(_ count: Int, at now: NIODeadline) {
            let gained = TimeAmount.nanoseconds(Int64(min(count, 1 << 32)) * 1_000_000_000 / Int64(rate))
            end = min(now + time, end + gained)
        }

        /// Returns whether the next part is late.
        func isOver(at now: NIODeadline) -> Bool { now > end }
    }
#endif
