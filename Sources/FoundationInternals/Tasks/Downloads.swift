#if canImport(FoundationNetworking)
    import Dispatch
    package import Foundation
    package import FoundationNetworking

    extension URLProtocol {
        private static let properties = StoredProperty("properties", of: .downloadFile)

        /// Sets the file that the client passes to the receiver of a download when loading finishes.
        ///
        /// FoundationNetworking reads the URL of the file from a private dictionary of the protocol object, and ends
        /// the process if the URL is missing and the receiver is not a completion handler. Must be called on the task's
        /// queue.
        ///
        /// - Parameter file: The URL of the file.
        /// - Returns: The missing capability, or nil on success.
        package func setDownloadedFile(_ file: URL) -> MissingCapability? {
            guard !Self.properties.store(file, forKey: "temporaryFileURL", in: self) else { return nil }
            return CapabilityTable.lose(
                .downloadFile,
                because: "The file of a download cannot be set, because the property `properties` of `URLProtocol` is "
                    + "missing or has changed.")
        }
    }

    extension URLSessionDownloadTask {
        private static let received = StoredProperty("_countOfBytesReceived", of: .byteCounts)
        private static let expected = StoredProperty("countOfBytesExpectedToReceive", of: .byteCounts)
        private static let countQueue = StoredProperty("syncQ", of: .byteCounts)

        /// The delegate that receives the progress of the task, or nil.
        private var progressDelegate: (any URLSessionDownloadDelegate)? {
            let isForSession = nameOfReceiver == Self.delegateReceiver
            let delegate: (any URLSessionDelegate)? = isForSession ? ownSession?.delegate : delegateOfCall
            return delegate as? any URLSessionDownloadDelegate
        }

        /// Whether a completion handler or delegate receives the file.
        ///
        /// Must be called on the task's queue.
        package var hasFileReceiver: Bool { nameOfReceiver != Self.delegateReceiver || progressDelegate != nil }

        /// Sets the number of bytes that the task expects to receive.
        ///
        /// Must be called on the task's queue.
        ///
        /// - Parameter count: The number of bytes, or `NSURLSessionTransferSizeUnknown`.
        package func expect(_ count: Int64) {
            Self.expected.set(count, in: self)
            if countOfBytesExpectedToReceive != count { loseCounts() }
        }

        /// Reports bytes that were written to the file, as FoundationNetworking does: only delegates cause the task to
        /// count the bytes.
        ///
        /// Must be called on the task's queue.
        ///
        /// - Parameters:
        ///   - count: The number of new bytes.
        ///   - total: The number of bytes in the file.
        ///   - expected: The number of bytes that the task expects to receive.
        package func report(_ count: Int64, of total: Int64, expected: Int64) {
            guard let session = ownSession, let delegate = progressDelegate else { return }
            if let queue: DispatchQueue = Self.countQueue.reference(in: self) {
                queue.sync { Self.received.set(total, in: self) }
            }
            if countOfBytesReceived != total { loseCounts() }
            progress.completedUnitCount = total
            session.delegateQueue.addOperation { [self] in
                delegate.urlSession(
                    session, downloadTask: self, didWriteData: count, totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected)
            }
        }

        private func loseCounts() {
            CapabilityTable.lose(.byteCounts, because: "The byte counts of a download task cannot be changed.")
        }
    }
#endif
