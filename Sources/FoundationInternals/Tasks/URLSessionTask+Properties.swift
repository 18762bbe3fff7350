package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// How the client of a task takes the body of an answer.
package enum BodyTaking {
    /// A delegate takes it as it arrives.
    case inPieces

    /// A completion handler takes it at the end, or who awaits it, and nobody else.
    case whole

    /// It is given as a whole, and may be given to several.
    case unknown
}

extension URLSessionTask {
    /// The session that the task belongs to, or `nil` where it cannot be known.
    package var ownSession: URLSession? {
        #if canImport(FoundationNetworking)
            Self.session.reference(in: self)
        #else
            nil
        #endif
    }

    /// Runs what tells the task's client something.
    ///
    /// FoundationNetworking starts and stops its tasks on a queue, and its client works on what belongs to that queue:
    /// called elsewhere, it meets tasks that are just coming or going, and ends the process.
    package func performOnItsQueue(_ work: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            let queue: DispatchQueue? = Self.workQueue.reference(in: self)
            if let queue { return queue.async(execute: work) }
        #endif
        work()
    }

    /// Has the end of the task told on the session's delegate queue, also to those who await it.
    ///
    /// FoundationNetworking resumes who awaits `data(for:)` where the client is told of the end: on the task's queue. It
    /// waits there for a cancellation of the same call that has begun, which waits for the task's queue: forever.
    ///
    /// - Returns: Whether the task is known to be awaited.
    package func endOnDelegateQueue() -> Bool {
        #if canImport(FoundationNetworking)
            Self.callsCompletionHandlerInline.clear(in: self)
        #else
            false
        #endif
    }

    /// How the task's client takes the body of an answer; to be asked on the task's queue.
    ///
    /// FoundationNetworking gives completion handlers, and those who await a call, nothing but the last piece. Its session
    /// knows of each task whom it calls.
    ///
    /// - Parameter isAwaited: Whether the task is known to be awaited.
    /// - Returns: How the client takes it.
    package func bodyTaking(isAwaited: Bool) -> BodyTaking {
        #if canImport(FoundationNetworking)
            let isDelegateForBodies = delegate is any URLSessionDataDelegate
            if isAwaited, !isDelegateForBodies { return .whole }
            guard let session = ownSession, let registry: AnyObject = Self.taskRegistry.reference(in: session),
                let behaviours = Self.behaviours.value(in: registry) as? any TaskDictionary,
                let behaviour = behaviours.caseName(for: taskIdentifier)
            else { return .unknown }
            if isDelegateForBodies { return behaviour == "callDelegate" ? .inPieces : .unknown }
            return behaviour.hasPrefix("dataCompletionHandler") ? .whole : .unknown
        #else
            return .inPieces
        #endif
    }

    /// Says whether the body that the task sends is in its request, so that reading it takes no time.
    ///
    /// - Parameter request: The task's request.
    /// - Returns: Whether `httpBody` is the body, `nil` for none.
    package func hasBodyAtHand(in request: URLRequest) -> Bool {
        !(self is URLSessionUploadTask) && request.httpBodyStream == nil
    }

    /// Reads the body that a task sends, wherever it is: in the request, or in the task for uploads.
    ///
    /// - Parameters:
    ///   - request: The task's request.
    ///   - session: The task's session.
    ///   - completion: Is called with the body, `nil` when there is none, or why it cannot be read.
    package func readBody(
        of request: URLRequest, in session: URLSession?,
        completion: @escaping @Sendable (Result<Data?, URLError>) -> Void
    ) {
        #if canImport(FoundationNetworking)
            if self is URLSessionUploadTask, let body = ownBody {
                return completion(Result { () throws(URLError) in try body.read() })
            }
            if request.httpBody == nil, self is URLSessionUploadTask, let session, let delegate {
                session.delegateQueue.addOperation { [self] in
                    delegate.urlSession(
                        session, task: self,
                        needNewBodyStream: { stream in
                            completion(.success(stream?.readToEnd()))
                        })
                }
                return
            }
        #endif
        completion(.success(request.httpBody ?? request.httpBodyStream?.readToEnd()))
    }
}

#if canImport(FoundationNetworking)
    extension URLSessionTask {
        private static let session = StoredProperty("session")
        private static let workQueue = StoredProperty("workQueue")
        private static let knownBody = StoredProperty("knownBody")
        private static let taskRegistry = StoredProperty("taskRegistry")
        private static let behaviours = StoredProperty("behaviours")
        private static let callsCompletionHandlerInline = StoredProperty("_callCompletionHandlerInline")

        private static let protocolStorage = StoredProperty("_protocolStorage")

        /// What loads the task; `nil` before that is known, and where it cannot be.
        var loader: URLProtocol? {
            Self.protocolStorage.value(in: self)
                .flatMap { Mirror(reflecting: $0).children.first?.value as? URLProtocol }
        }

        private enum Body {
            case data(Data)
            case file(URL)
            case stream(InputStream)

            func read() throws(URLError) -> Data? {
                switch self {
                case .data(let data): return data
                case .stream(let stream): return stream.readToEnd()
                case .file(let url):
                    guard let data = try? Data(contentsOf: url) else {
                        let exists = FileManager.default.fileExists(atPath: url.path)
                        throw URLError(
                            exists ? .noPermissionsToReadFile : .fileDoesNotExist, "\(url.path) cannot be uploaded.")
                    }
                    return data
                }
            }
        }

        /// The body that an upload was made with; `nil` when there is none, or the delegate has it.
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
#endif

#if canImport(FoundationNetworking)
    /// A dictionary of what a session knows of its tasks, whose values are of a type that it does not show.
    private protocol TaskDictionary {
        func caseName(for task: Int) -> String?
    }

    extension Dictionary: TaskDictionary where Key == Int {
        /// The name of the case that the value of a task is, whatever that carries.
        fileprivate func caseName(for task: Int) -> String? {
            self[task].map { Mirror(reflecting: $0).children.first?.label ?? String(describing: $0) }
        }
    }
#endif

extension InputStream {
    /// Everything up to the end, or to the first error.
    fileprivate func readToEnd() -> Data {
        open()
        defer { close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = read(&buffer, maxLength: buffer.count), count > 0 { data += buffer[..<count] }
        return data
    }
}

extension URLError {
    /// Creates an error with a description.
    package init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
