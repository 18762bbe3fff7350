#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The transfer of a body at the pace of its response and of the client.
    struct BodyTransfer: Sendable {
        /// The next step of a transfer.
        enum Step {
            /// Sends bytes.
            case send(ByteBuffer)

            /// Waits before the next step.
            case wait(Duration)

            /// Waits until the client is ready for more data.
            case pause

            /// Ends the response, with an error if it is truncated.
            case end(URLError?)

            /// Ends the exchange, because the rest of the body cannot be read.
            case failure(HARError)
        }

        /// The source of the bytes.
        private enum Source: Sendable {
            case memory(Data)

            /// A file. Reading blocks the event loop for the time of one write, which is as short as the sending itself.
            case file(StoredBodyReader)
        }

        private var source: Source
        private let end: Int

        /// The failure after the delivered part, or nil if all of the body is delivered.
        private let failure: URLError?
        private var chunks: ArraySlice<(time: Duration, range: Range<Int>)>

        /// The time of the first step, from which the times of all chunks count, so that delays do not add up.
        private var start: NIODeadline?
        private var offset = 0
        private var endOfChunk = 0

        /// The maximum number of bytes in one write.
        private static let writeSize = 1 << 16

        /// Begins a transfer.
        ///
        /// - Parameters:
        ///   - delivered: The response with its pace.
        ///   - hasBody: Whether the response has a body.
        init(of delivered: Reply, hasBody: Bool) {
            guard hasBody, case .success(let response) = delivered.result else {
                (source, end, failure, chunks) = (.memory(Data()), 0, nil, [])
                return
            }
            source = response.storedBody.map { .file(StoredBodyReader($0)) } ?? .memory(response.body)
            let size = response.bodySize
            end = min(delivered.cutOff ?? .max, size)
            chunks = delivered.pace.chunks(of: response)[...]
            failure = end < size ? URLError(.networkConnectionLost) : delivered.breakOff
        }

        /// Returns the next step.
        ///
        /// - Parameter isWritable: Whether the client is ready for more data.
        /// - Returns: The step.
        mutating func next(isWritable: Bool) -> Step {
            if offset >= endOfChunk {
                let now = NIODeadline.now()
                let begin = start ?? now
                start = begin
                guard offset < end, let chunk = chunks.popFirst() else { return .end(failure) }
                endOfChunk = min(chunk.range.upperBound, end)
                if chunk.time > .zero {
                    let wait = chunk.time - .nanoseconds((now - begin).nanoseconds)
                    if wait > .zero { return .wait(wait) }
                }
            }
            guard isWritable else { return .pause }
            do throws(HARError) {
                let bytes = try read(min(Self.writeSize, endOfChunk - offset))
                offset += bytes.readableBytes
                return .send(bytes)
            } catch {
                return .failure(error)
            }
        }

        private mutating func read(_ size: Int) throws(HARError) -> ByteBuffer {
            switch source {
            case .memory(let body):
                let start = body.startIndex + offset
                return ByteBuffer(bytes: body[start..<start + size])
            case .file(var reader):
                let bytes = try reader.next(upTo: size)
                source = .file(reader)
                return ByteBuffer(bytes: bytes)
            }
        }
    }
#endif
