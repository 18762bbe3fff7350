import Foundation
import FoundationInternals
import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTask {
    /// Reads the body that a task sends, from the request or from an upload task.
    ///
    /// Files and streams are read on separate threads. Only the first part of a large body is in memory: the body is
    /// moved to a temporary file, which is mapped. Many large uploads in parallel therefore need little memory.
    ///
    /// - Parameters:
    ///   - request: The task's request.
    ///   - session: The task's session.
    ///   - completion: Called with the body, with nil if there is no body, or with an error if reading failed. Called
    ///     synchronously if the body is in memory.
    func readBody(
        of request: URLRequest, in session: URLSession?,
        completion: @escaping @Sendable (Result<Data?, any Error>) -> Void
    ) {
        findBody(of: request, in: session) { body in
            switch body {
            case .success(.data(let data)): completion(.success(data))
            case .success(.stream(let stream)):
                nonisolated(unsafe) let stream = stream
                Thread.detachNewThread { completion(Result { try stream.spooled().body.data }) }
            case .success(.file(let url)):
                Thread.detachNewThread { completion(Result { try InputStream.contents(of: url) }) }
            case .failure(let error): completion(.failure(error))
            }
        }
    }
}

extension InputStream {
    /// Reads a file.
    fileprivate static func contents(of file: URL) throws -> Data {
        if let (body, isComplete) = try InputStream(url: file)?.spooled(), isComplete { return body.data }
        let exists = FileManager.default.fileExists(atPath: file.path)
        let reason = exists ? "cannot be read. Check its permissions." : "does not exist. Check the path."
        throw URLError(
            exists ? .noPermissionsToReadFile : .fileDoesNotExist, "The upload file \(file.path) \(reason)")
    }

    /// Reads the stream up to its end or the first error.
    fileprivate func spooled() throws -> (body: SpooledBody, isComplete: Bool) {
        open()
        defer { close() }
        var body = SpooledBody()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(&buffer, maxLength: buffer.count), count > 0 {
            try body.append(Data(buffer[..<count]))
        }
        // On Linux, reading `streamError` ends the process.
        return (body, streamStatus != .error)
    }
}
