package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLSessionTask {
    /// The session of the task, or nil if it is unknown.
    package var ownSession: URLSession? {
        #if canImport(FoundationNetworking)
            Self.session.reference(in: self)
        #else
            nil
        #endif
    }

    /// Runs code that calls the task's client on the task's queue.
    ///
    /// FoundationNetworking starts and stops each task on the task's queue, and the task's client uses state that is
    /// confined to that queue. Calling the client on another queue can crash the process, because the client may access
    /// a task that is being created or deallocated.
    ///
    /// If the queue is unknown, as ``missingCapability`` reports, the code does not run.
    package func performOnItsQueue(_ work: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            ownQueue?.async(execute: work)
        #else
            work()
        #endif
    }

    /// Delivers completion on the session's delegate queue, even to callers that await the task.
    ///
    /// By default, FoundationNetworking resumes the caller of `data(for:)` on the task's queue. Resuming waits for a
    /// concurrent cancellation of the same call, and the cancellation waits for the task's queue, which results in a
    /// deadlock.
    package func endOnDelegateQueue() {
        #if canImport(FoundationNetworking)
            Self.callsCompletionHandlerInline.set(false, in: self)
        #endif
    }

    /// Whether the client receives the body of a response in chunks.
    ///
    /// Must be called on the task's queue. FoundationNetworking passes only the last chunk to completion handlers and
    /// awaiting callers. Its sessions store the receiver kind of each task.
    ///
    /// The value is `true` if a delegate receives chunks as they arrive, and `false` if the client receives the body at
    /// the end, or if this is unknown.
    package var receivesChunks: Bool {
        #if canImport(FoundationNetworking)
            delegate is any URLSessionDataDelegate && nameOfReceiver == Self.delegateReceiver
        #else
            true
        #endif
    }

    /// The missing capability that prevents the interception of this task, or nil.
    package var missingCapability: MissingCapability? {
        #if canImport(FoundationNetworking)
            if ownQueue == nil {
                return CapabilityTable.lose(
                    .taskQueue,
                    because: "The queue of a task is unknown, because the task has no property `workQueue`.")
            }
            if ownSession == nil {
                return CapabilityTable.lose(
                    .taskSession,
                    because: "The session of a task is unknown, because the task has no property `session`.")
            }
        #endif
        return nil
    }

    /// Reads the body that a task sends, from the request or from an upload task.
    ///
    /// A stream can block until other code writes to it, so streams and files are read on a separate thread.
    ///
    /// - Parameters:
    ///   - request: The task's request.
    ///   - session: The task's session.
    ///   - collect: Joins the chunks of a stream or file. It receives a function that returns the next chunk, or nil at
    ///     the end.
    ///   - completion: Called with the body, with nil if there is no body, or with an error if reading failed. Called
    ///     synchronously if the body is in memory.
    package func readBody(
        of request: URLRequest, in session: URLSession?, collectingWith collect: @escaping BodyCollector,
        completion: @escaping @Sendable (Result<Data?, any Error>) -> Void
    ) {
        #if canImport(FoundationNetworking)
            if self is URLSessionUploadTask, let missing = missingBody { return completion(.failure(missing)) }
            if self is URLSessionUploadTask, let body = ownBody { return body.read(with: collect, completion) }
            if request.httpBody == nil, self is URLSessionUploadTask, let session, let delegate {
                return session.delegateQueue.addOperation { [self] in
                    delegate.urlSession(
                        session, task: self,
                        needNewBodyStream: { stream in
                            guard let stream else { return completion(.success(nil)) }
                            stream.read(with: collect, completion)
                        })
                }
            }
        #endif
        if let stream = request.httpBodyStream { return stream.read(with: collect, completion) }
        completion(.success(request.httpBody))
    }
}

#if canImport(FoundationNetworking)
    extension URLSessionTask {
        private static let session = StoredProperty("session", of: .taskSession)
        private static let workQueue = StoredProperty("workQueue", of: .taskQueue)
        private static let taskRegistry = StoredProperty("taskRegistry", of: .bodyChunks)
        private static let behaviors = StoredProperty("behaviours", of: .bodyChunks)
        private static let callsCompletionHandlerInline = StoredProperty(
            "_callCompletionHandlerInline", of: .awaitedTasks)
        private static let protocolStorage = StoredProperty("_protocolStorage", of: .transferLog)

        /// The name of the receiver kind for tasks that deliver chunks to a delegate.
        static let delegateReceiver = "callDelegate"

        private var ownQueue: DispatchQueue? { Self.workQueue.reference(in: self) }

        /// Whether the task has the private flag for resuming awaiting callers on its queue.
        var hasInlineFlag: Bool { Self.callsCompletionHandlerInline.value(in: self) is Bool }

        /// The receiver kind of the task in its session, an enumeration case with a private type, or nil if it is
        /// unknown.
        private var receiver: Any? {
            guard let session = ownSession, let registry: AnyObject = Self.taskRegistry.reference(in: session),
                let behaviors = Self.behaviors.value(in: registry) as? any TaskDictionary
            else { return nil }
            return behaviors.value(for: taskIdentifier)
        }

        /// The name of the task's receiver kind, or nil if it is unknown.
        var nameOfReceiver: String? {
            receiver.map { Mirror(reflecting: $0).children.first?.label ?? String(describing: $0) }
        }

        /// The delegate that was passed to an awaited call, or nil.
        var delegateOfCall: (any URLSessionTaskDelegate)? {
            guard let receiver, let values = Mirror(reflecting: receiver).children.first?.value else { return nil }
            return Mirror(reflecting: values).children.lazy.compactMap { $0.value as? any URLSessionTaskDelegate }.first
        }

        /// The object that loads the task, or nil if it does not exist yet or is unknown.
        var loader: URLProtocol? {
            Self.protocolStorage.value(in: self)
                .flatMap { Mirror(reflecting: $0).children.first?.value as? URLProtocol }
        }

        private static let knownBody = StoredProperty("knownBody", of: .uploadBody)

        /// The missing capability that prevents reading the body of an upload task, or nil.
        var missingBody: MissingCapability? {
            guard Self.knownBody.value(in: self) == nil else { return nil }
            return CapabilityTable.lose(
                .uploadBody,
                because: "The body of an upload cannot be read, because its task has no property `knownBody`.")
        }

        private enum Body {
            case data(Data)
            case file(URL)
            case stream(InputStream)

            func read(
                with collect: @escaping BodyCollector,
                _ completion: @escaping @Sendable (Result<Data?, any Error>) -> Void
            ) {
                switch self {
                case .data(let data): completion(.success(data))
                case .stream(let stream): stream.read(with: collect, completion)
                case .file(let url):
                    Thread.detachNewThread {
                        completion(
                            Result {
                                let file = try Self.reading(url) { try FileHandle(forReadingFrom: url) }
                                return try collect { try Self.reading(url) { try file.read(upToCount: chunkSize) } }
                            })
                    }
                }
            }

            private static func reading<Value>(_ file: URL, _ read: () throws -> Value) throws(URLError) -> Value {
                do { return try read() } catch {
                    let exists = FileManager.default.fileExists(atPath: file.path)
                    let code: URLError.Code = exists ? .noPermissionsToReadFile : .fileDoesNotExist
                    let reason = exists ? "cannot be read. Check its permissions." : "does not exist. Check the path."
                    throw URLError(code, "The upload file \(file.path) \(reason)")
                }
            }
        }

        /// The body of an upload task, or nil if it is unknown or not in memory.
        var ownBodyData: Data? {
            if case .data(let data) = ownBody { data } else { nil }
        }

        /// The body of an upload task, or nil if the task has no body or its delegate provides the body.
        private var ownBody: Body? {
            var value = Self.knownBody.value(in: self)
            while let current = value {
                if let data = current as? DispatchData { return .data(Data(data)) }
                if let url = current as? URL { return .file(url) }
                if let stream = current as? InputStream { return .stream(stream) }
                value = Mirror(reflecting: current).children.first?.value
            }
            return nil
        }
    }

    extension URLSessionTask {
        /// The file that an upload task sends, or nil.
        package var uploadedFile: URL? {
            if case .file(let url) = ownBody { url } else { nil }
        }
    }

    /// A session's dictionary of task states, whose values have a private type.
    private protocol TaskDictionary {
        func value(for task: Int) -> Any?
    }

    extension Dictionary: TaskDictionary where Key == Int {
        fileprivate func value(for task: Int) -> Any? { self[task] }
    }
#endif

extension InputStream {
    /// Reads the stream on a new thread, up to its end or the first error.
    fileprivate func read(
        with collect: @escaping BodyCollector, _ completion: @escaping @Sendable (Result<Data?, any Error>) -> Void
    ) {
        nonisolated(unsafe) let stream = self
        Thread.detachNewThread {
            stream.open()
            defer { stream.close() }
            var buffer = [UInt8](repeating: 0, count: chunkSize)
            completion(
                Result {
                    try collect {
                        let count = stream.read(&buffer, maxLength: buffer.count)
                        return count > 0 ? Data(buffer[..<count]) : nil
                    }
                })
        }
    }
}

/// A function that joins the chunks of a body, which it receives from another function, up to nil.
package typealias BodyCollector = @Sendable (_ next: () throws -> Data?) throws -> Data

/// The number of bytes of a body that are read at once.
private let chunkSize = 1 << 16

extension URLError {
    /// Creates an error with a localized description.
    package init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
