#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The body of a request that is sent while it is received.
    final class RequestUpload {
        private var connection: (any UpstreamCarrier)?

        /// The parts that wait for the connection.
        private var waiting: [ByteBuffer] = []
        private var hasEnd = false

        /// Whether the end of the body has been sent.
        private(set) var isSent = false
        private var recorded = SpooledBody()

        /// The error that prevented the body from being recorded.
        private(set) var failure: HARError?

        /// Whether the server is ready for more data.
        var isReady: Bool { connection.map(\.isWritable) ?? waiting.isEmpty }

        /// Sends the parts that have arrived.
        func begin(over connection: any UpstreamCarrier) {
            self.connection = connection
            for bytes in waiting { connection.send(bytes) }
            waiting = []
            if hasEnd { sendEnd() }
        }

        /// Receives a part.
        func receive(_ bytes: ByteBuffer) {
            if failure == nil {
                do throws(HARError) { try recorded.append(Data(bytes.readableBytesView)) } catch { failure = error }
            }
            if let connection { connection.send(bytes) } else { waiting.append(bytes) }
        }

        /// Receives the end.
        func receiveEnd() {
            hasEnd = true
            if connection != nil { sendEnd() }
        }

        private func sendEnd() {
            isSent = true
            connection?.sendEnd()
        }

        /// Releases the connection.
        func end() { connection = nil }

        /// The part of the body that has arrived.
        var body: Data { recorded.data }
    }
#endif
