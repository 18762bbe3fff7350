package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTask {
    /// Reads the body that a task sends, from the request or from an upload task.
    ///
    /// A stream may block until other code writes to it, so it is read on a separate thread.
    ///
    /// - Parameters:
    ///   - request: The task's request.
    ///   - session: The task's session.
    ///   - completion: Called with the body, nil for no body, or the error of reading it: immediately if the body is in
    ///     memory.
    func readBody(
        of request: URLRequest, in session: URLSession?,
        completion: @escaping @Sendable (Result<Data?, any Error>) -> Void
    ) {
        #if canImport(FoundationNetworking)
            if self is URLSessionUploadTask, let missing = missingBody { return completion(.failure(missing)) }
            if self is URLSessionUploadTask, let body = ownBody { return body.read(completion) }
            if request.httpBody == nil, self is URLSessionUploadTask, let session, let delegate {
                return session.delegateQueue.addOperation { [self] in
                    delegate.urlSession(
                        session, task: self,
                        needNewBodyStream: { stream in
                            guard let stream else { return completion(.success(nil)) }
                            stream.read(completion)
                        })
                }
            }
        #endif
        if let stream = request.httpBodyStream { return stream.read(completion) }
        completion(.success(request.httpBody))
    }
}

#if canImport(FoundationNetworking)
    extension URLSessionTask {
        private static let knownBody = StoredProperty("knownBody", of: .uploadBody)

        /// The capability that is missing for reading the body of an upload task, or nil.
        var missingBody: MissingCapability? {
            guard Self.knownBody.value(in: self) == nil else { return nil }
            return CapabilityTable.lose(
                .uploadBody, because: "The body of an upload is unknown: its task has no property `knownBody`.")
        }

        private enum Body {
            case data(Data)
            case file(URL)
            case stream(InputStream)

            func read(_ completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
                switch self {
                case .data(let data): completion(.success(data))
                case .stream(let stream): stream.read(completion)
                case .file(let url): Thread.detachNewThread { completion(Self.contents(of: url)) }
                }
            }

            private static func contents(of file: URL) -> Result<Data?, any Error> {
                if let data = try? Data(contentsOf: file) { return .success(data) }
                let exists = FileManager.default.fileExists(atPath: file.path)
                let code: URLError.Code = exists ? .noPermissionsToReadFile : .fileDoesNotExist
                return .failure(URLError(code, "\(file.path) cannot be uploaded."))
            }
        }

        /// The body of an upload task in memory, or nil if it is not in memory or unknown.
        var ownBodyData: Data? {
            if case .data(let data) = ownBody { data } else { nil }
        }

        /// The body of an upload task, or nil if it has no body or the delegate provides it.
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

extension InputStream {
    /// Reads all bytes up to the end or the first error, on a new thread.
    fileprivate func read(_ completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        nonisolated(unsafe) let stream = self
        Thread.detachNewThread { completion(.success(stream.readToEnd())) }
    }

    private func readToEnd() -> Data {
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
