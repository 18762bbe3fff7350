import Foundation
import FoundationNetworking
import Synchronization

/// Facts about FoundationNetworking, each tested in a separate process.
@main enum Facts {
    static let request = URLRequest(url: url("http://host.invalid/a"))

    /// Each fact with its test, which returns whether the fact holds.
    static let all: [(name: String, test: @Sendable () async throws -> Bool)] = [
        (
            "a registered class receives no http requests of a session",
            {
                _ = URLProtocol.registerClass(NotingProtocol.self)
                _ = try? await URLSession(configuration: .ephemeral).data(for: request)
                return NotingProtocol.noted("canInit") == nil
            }
        ),
        (
            "a registered class receives requests with unknown schemes",
            {
                _ = URLProtocol.registerClass(NotingProtocol.self)
                return try await text(URLSession(configuration: .ephemeral), "foo://host.invalid/a") == "two"
            }
        ),
        (
            "the shared session uses a class that was registered before the session's first use",
            {
                _ = URLProtocol.registerClass(NotingProtocol.self)
                return try await text(.shared) == "two"
            }
        ),
        (
            "the shared session does not use a class that was registered later",
            {
                _ = URLSession.shared
                _ = URLProtocol.registerClass(NotingProtocol.self)
                _ = try? await URLSession.shared.data(for: request)
                return NotingProtocol.noted("canInit") == nil
            }
        ),
        (
            "changing the configuration of a session, including the shared session, affects its requests",
            {
                for session in [URLSession(configuration: .ephemeral), .shared] {
                    _ = try? await session.data(for: request)
                    session.configuration.protocolClasses = [NotingProtocol.self]
                    guard try await text(session) == "two" else { return false }
                }
                return true
            }
        ),
        (
            "a configuration is copied for a session",
            {
                let configuration = URLSessionConfiguration.ephemeral
                let session = URLSession(configuration: configuration)
                configuration.protocolClasses = [NotingProtocol.self]
                return (try? await text(session)) != "two"
            }
        ),
        (
            "a class in the configuration receives https and unknown schemes, and the host is not resolved",
            {
                for scheme in ["http", "https", "foo"] {
                    guard try await text(session(), "\(scheme)://host.invalid/a") == "two" else { return false }
                }
                return true
            }
        ),
        (
            "canInit and, without a cache, init run in the caller's context, but startLoading does not",
            {
                _ = try await Caller.$name.withValue("caller") { try await text(session()) }
                return ["canInit", "init", "startLoading"].map(NotingProtocol.noted) == ["caller", "caller", "none"]
            }
        ),
        (
            "with a cache, init does not run in the caller's context",
            {
                let session = Facts.session {
                    $0.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
                }
                _ = try await Caller.$name.withValue("caller") { try await text(session) }
                return ["canInit", "init"].map(NotingProtocol.noted) == ["caller", "none"]
            }
        ),
        (
            "httpBody and httpBodyStream are in the request",
            {
                var request = Facts.request
                request.httpMethod = "POST"
                request.httpBody = Data("body".utf8)
                _ = try await session().data(for: request)
                guard NotingProtocol.noted("httpBody") == "body" else { return false }
                request.httpBodyStream = InputStream(data: Data("body".utf8))
                _ = try await session().data(for: request)
                return NotingProtocol.noted("httpBodyStream") == "a stream"
            }
        ),
        (
            "the body of an upload is not in the request",
            {
                var request = Facts.request
                request.httpMethod = "POST"
                _ = try await session().upload(for: request, from: Data("body".utf8))
                return ["httpBody", "httpBodyStream"].map(NotingProtocol.noted) == ["nil", "nil"]
            }
        ),
        (
            "header fields of the configuration are not in the request",
            {
                _ = try await text(session { $0.httpAdditionalHeaders = ["X-Added": "1"] })
                return NotingProtocol.noted("header") == "nil"
            }
        ),
        (
            "stored cookies replace the request's Cookie field, and httpShouldHandleCookies has no effect",
            {
                let server = try url(respondingWith: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n")
                let storing = URLSession(configuration: .ephemeral)
                var request = URLRequest(url: server)
                request.httpShouldHandleCookies = false
                request.setValue("b=2", forHTTPHeaderField: "Cookie")
                _ = try await storing.data(for: request)
                guard let storage = storing.configuration.httpCookieStorage, storage.cookies?.count == 1 else {
                    return false
                }
                _ = try await session { $0.httpCookieStorage = storage }.data(for: request)
                return NotingProtocol.noted("Cookie") == "a=1"
            }
        ),
        (
            "an awaited call returns only the last chunk, and a delegate receives all chunks",
            {
                let delegate = CollectingDelegate()
                let session = URLSession(
                    configuration: Facts.session().configuration, delegate: delegate, delegateQueue: nil)
                session.dataTask(with: request).resume()
                for await _ in delegate.end.stream {}
                return try await text(Facts.session()) == "two" && delegate.received == ["one", "two"]
            }
        ),
        (
            "crash: a redirect ends the process",
            {
                _ = try await text(session(), "http://host.invalid/redirect")
                return false
            }
        ),
        (
            "crash: an awaited download ends the process",
            {
                _ = try await session().download(for: request)
                return false
            }
        ),
        (
            "a download task passes neither a file nor an error to its completion handler",
            {
                await withCheckedContinuation { continuation in
                    session().downloadTask(with: request) { file, _, error in
                        continuation.resume(returning: file == nil && error == nil)
                    }.resume()
                }
            }
        ),
        (
            "the library does not remove the file of a download, and writes parts twice for a delegate of the call",
            {
                let server = try url(respondingWith: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
                let delegate = DownloadDelegate()
                let (file, _) = try await URLSession(configuration: .ephemeral).download(from: server)
                let (other, _) = try await URLSession(configuration: .ephemeral).download(
                    from: server, delegate: delegate)
                defer { for file in [file, other] { try? FileManager.default.removeItem(at: file) } }
                let texts = try [file, other].map { try String(contentsOf: $0, encoding: .utf8) }
                return texts == ["body", "bodybody"] && delegate.partCount == 1
            }
        ),
        (
            "canceling a download produces no resume data",
            {
                let task = session().downloadTask(with: url("http://host.invalid/silent"))
                task.resume()
                return await withCheckedContinuation { continuation in
                    task.cancel { continuation.resume(returning: $0 == nil) }
                }
            }
        ),
        (
            "the timeout of a request has no effect, and canceling calls stopLoading",
            {
                let call = Task {
                    try await text(session { $0.timeoutIntervalForRequest = 1 }, "http://host.invalid/silent")
                }
                try await Task.sleep(for: .seconds(4))
                guard NotingProtocol.noted("stopLoading") == nil else { return false }
                call.cancel()
                let error = await call.result
                try await Task.sleep(for: .seconds(1))
                guard case .failure(let failure as URLError) = error, failure.errorCode == NSURLErrorCancelled else {
                    return false
                }
                return NotingProtocol.noted("stopLoading") == "called"
            }
        ),
        (
            "a WebSocket task fails with error -1002",
            {
                let task = URLSession.shared.webSocketTask(with: url("ws://127.0.0.1:9/"))
                task.resume()
                do {
                    _ = try await task.receive()
                    return false
                } catch {
                    return (error as NSError).code == NSURLErrorUnsupportedURL
                }
            }
        ),
        (
            "a proxy from the environment is used, even if the variable is set later",
            {
                let session = URLSession(configuration: .ephemeral)
                setenv("http_proxy", "http://127.0.0.1:9", 1)
                do {
                    _ = try await session.data(for: request)
                    return false
                } catch {
                    // Without a proxy, the host would not be found.
                    return (error as? URLError)?.code == .cannotConnectToHost
                }
            }
        ),
        (
            "a task that waits for a response or for its body keeps a core busy",
            {
                for response in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody"] {
                    let server = try url(respondingWith: response)
                    let awaiting = URLSession(configuration: .ephemeral)
                    let delegating = URLSession(
                        configuration: .ephemeral, delegate: CollectingDelegate(), delegateQueue: nil)
                    let call = Task { try await awaiting.data(from: server) }
                    guard try await processorUse() > 0.1 else { return false }
                    call.cancel()
                    _ = await call.result
                    for _ in 1...8 { delegating.dataTask(with: server).resume() }
                    // Several tasks of a session share a thread, so they do not keep several cores busy.
                    guard try await 0.1...1.5 ~= processorUse() else { return false }
                    delegating.invalidateAndCancel()
                }
                return true
            }
        ),
        (
            "neither an idle connection nor a task that waits for a protocol class uses processor time",
            {
                let server = try url(respondingWith: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
                _ = try await URLSession.shared.data(from: server)
                session().dataTask(with: url("http://host.invalid/silent")).resume()
                return try await processorUse() < 0.05
            }
        ),
        (
            "crash: reading the error of an input stream ends the process",
            {
                let stream = InputStream(url: URL(fileURLWithPath: "/"))
                stream?.open()
                return stream?.streamError == nil
            }
        ),
        (
            "header fields of a response are found regardless of case",
            {
                let response = HTTPURLResponse(
                    url: url("http://host.invalid/"), statusCode: 200, httpVersion: nil, headerFields: ["x-a": "1"])
                return response?.value(forHTTPHeaderField: "X-A") == "1"
            }
        ),
    ]

    static func url(_ text: String) -> URL {
        guard let url = URL(string: text) else { fatalError("invalid URL: \(text)") }
        return url
    }

    /// Returns the URL of a server on the loopback interface that responds to the first request of each connection with a
    /// text, and keeps the connections open.
    static func url(respondingWith text: String) throws -> URL {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) | listen(listener, 16) | getsockname(listener, $0, &size)
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread {
            var request = [UInt8](repeating: 0, count: 4096)
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                _ = read(connection, &request, request.count)
                _ = write(connection, text, text.utf8.count)
            }
        }
        return url("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
    }

    /// Returns the processor time that this process uses in the next two seconds, after one second, as a fraction of one
    /// core.
    static func processorUse() async throws -> Double {
        try await Task.sleep(for: .seconds(1))
        let start = clock()
        try await Task.sleep(for: .seconds(2))
        return Double(clock() - start) / Double(CLOCKS_PER_SEC) / 2
    }

    /// Returns a session that uses `NotingProtocol` and has no cache.
    static func session(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [NotingProtocol.self]
        configuration.urlCache = nil
        change(configuration)
        return URLSession(configuration: configuration)
    }

    /// Returns the body of a response.
    static func text(_ session: URLSession, _ text: String = "http://host.invalid/a") async throws -> String? {
        String(decoding: try await session.data(from: url(text)).0, as: UTF8.self)
    }

    /// Lists the facts, or tests the fact whose index is the argument.
    ///
    /// The exit status is 1 if the fact does not hold.
    static func main() async throws {
        guard let index = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else {
            for fact in all { print(fact.name) }
            return
        }
        exit(try await all[index].test() ? 0 : 1)
    }
}
