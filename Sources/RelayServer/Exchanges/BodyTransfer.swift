#if Server
    import Foundation
    import NIOCore
    import RelayCore

    /// The transfer of a body at the pace of its response and of the client.
    struct BodyTransfer {
        /// The next step of a transfer.
        enum Step {
            /// Sends bytes.
            case send(ByteBuffer)

            /// Waits before the next step.
            case wait(Duration)

            /// Waits until the client is ready for more data.
            case pause

            /// Ends the response, with a failure if it is truncated.
            case end(Failure?)
        }

        /// The failure after the delivered part.
        struct Failure {
            let kind: ConnectionFailure
            let error: URLError?
        }

        private let body: Data
        private let end: Int
        private let failure: Failure?
        private var chunks: ArraySlice<(wait: Duration, range: Range<Int>)>
        private var offset = 0
        private var endOfChunk = 0

        /// The maximum number of bytes in one write.
        private static let writeSize = 1 << 16

        /// Begins a transfer.
        init(_ response: ServedResponse, of reply: Reply) {
            body = response.body
            end = min(reply.cutOff ?? .max, body.count)
            chunks = reply.pace.chunks(of: body.count)[...]
            failure =
                if end < body.count {
                    Failure(kind: .close, error: URLError(.networkConnectionLost))
                } else {
                    reply.breakOff.map { Failure(kind: ConnectionFailure($0), error: $0) }
                }
        }

        /// Returns the next step.
        ///
        /// - Parameter isWritable: Whether the client is ready for more data.
        /// - Returns: The step.
        mutating func next(isWritable: Bool) -> Step {
            if offset >= endOfChunk {
                guard offset < end, let chunk = chunks.popFirst() else { return .end(failure) }
                endOfChunk = min(chunk.range.upperBound, end)
                if chunk.wait > .zero { return .wait(chunk.wait) }
            }
            guard isWritable else { return .pause }
            let next = min(offset + Self.writeSize, endOfChunk)
            let start = body.startIndex
            let bytes = ByteBuffer(bytes: body[start + offset..<start + next])
            offset = next
            return .send(bytes)
        }
    }
#endif
