#if Server
    import Dispatch
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Synchronization

    /// The lines that `har serve` prints.
    ///
    /// Lines are written on a queue, so that a slow terminal does not delay responses. If too many lines wait, further
    /// ones are dropped and counted.
    final class ServeOutput: Sendable {
        private let isQuiet: Bool
        private let isJSON: Bool
        private let isEncrypted: Bool

        /// The file for all lines except problems.
        private let file: FileHandle
        private let queue = DispatchQueue(label: "har serve")
        private let waiting = Mutex(WaitingLines())

        /// The lines that wait for being written.
        private struct WaitingLines {
            /// The approximate size, in bytes.
            var size = 0

            /// The number of lines that did not fit.
            var dropped = 0

            /// The maximum size, in bytes.
            static let limit = 1 << 23
        }

        /// Creates the output.
        init(isQuiet: Bool, isJSON: Bool, isEncrypted: Bool = false, to file: FileHandle = .standardOutput) {
            self.file = file
            self.isQuiet = isQuiet
            self.isJSON = isJSON
            self.isEncrypted = isEncrypted
        }

        /// Prints the address, the archives and an example.
        func begin(_ server: RelayServer, archives: [HARArchive], page: String? = nil) {
            let plain = server.url.absoluteString
            let address = isEncrypted ? "https" + plain.dropFirst(4) : plain
            let mapped = server.mappedOrigin
            guard !isJSON else {
                let files = archives.map { archive -> JSONValue in
                    ["file": .string(JSONString(archive.url.path)), "entries": .number(JSONNumber(archive.count))]
                }
                return write(
                    json: [
                        "url": .string(JSONString(address)), "maps": mapped.map { .string(JSONString($0)) } ?? .null,
                        "archives": .array(files), "page": page.map { .string(JSONString($0)) } ?? .null,
                    ])
            }
            guard !isQuiet else { return write([address, page].compactMap(\.self).joined(separator: "\n")) }
            for archive in archives {
                let count = archive.count == 1 ? "1 entry" : "\(archive.count) entries"
                write("Serving \(MessageText.printable(archive.url.path)), \(count)")
            }
            write("Listening on \(address)" + (mapped.map { " for \(MessageText.printable($0))" } ?? ""))
            if let path = Self.example(archives, of: mapped) {
                let trust = isEncrypted ? "--cacert \(ShellText.quoted(server.authority?.url?.path ?? "")) " : ""
                write("Try: curl -i \(trust)\(ShellText.quoted(address + path))")
            }
            if let page { write("Page: \(page)") }
            write("")
        }

        /// Prints the archive and the address of a proxy.
        func begin(
            _ server: RelayServer, token: String?, recordingTo archive: String?, reverses origin: String?, page: String?
        ) {
            let address = server.address(with: token)
            guard !isJSON else {
                return write(
                    json: [
                        "url": .string(JSONString(address)),
                        "archive": archive.map { .string(JSONString($0)) } ?? .null,
                        "reverse": origin.map { .string(JSONString($0)) } ?? .null,
                        "page": page.map { .string(JSONString($0)) } ?? .null,
                    ])
            }
            guard !isQuiet else {
                // A command knows the address.
                if file === FileHandle.standardOutput { write(address) }
                return
            }
            if let archive { write("Recording to \(MessageText.printable(archive))") }
            let certificate = ShellText.quoted(server.authority?.url?.path ?? "")
            if let origin {
                write("Listening on \(address) for \(MessageText.printable(origin))")
                write("Try: curl -i \(address)/")
            } else {
                write("Proxy at \(address)")
                write("Try: curl -i --cacert \(certificate) -x \(address) https://example.com/")
                write("Other clients: har serve --ca")
            }
            if let page { write("Page: \(page)") }
            write("")
        }

        /// Prints the number of recorded exchanges.
        func end(_ count: Int, recordedTo archive: String) {
            guard !isJSON, !isQuiet else { return }
            write("\(count == 1 ? "1 exchange" : "\(count) exchanges") recorded to \(MessageText.printable(archive))")
        }

        /// Returns the path and query of the first GET request to an origin that gets a response, if possible with a
        /// status from 200 to 299.
        private static func example(_ archives: [HARArchive], of origin: String?) -> String? {
            var other: String?
            var known: Set<String> = []
            for archive in archives {
                for index in 0..<min(archive.count, 1000) {
                    let summary = archive.summary(at: index)
                    guard summary.method.uppercased() == "GET", 200...999 ~= summary.status else { continue }
                    let url = NormalizedURL(summary.url)
                    guard url.origin == origin, !HARRedactor.isRedacted(summary.url) else { continue }
                    // The terminal shows the line, so it must not contain a secret.
                    let full = url.description
                    guard MessageText.url(full) == full, known.insert(full).inserted else { continue }
                    let path = String(full.dropFirst(url.origin.count))
                    let isPreferred = summary.status < 300
                    guard isPreferred || other == nil, isReplayable(index, in: archive) else { continue }
                    if isPreferred { return path }
                    other = path
                }
            }
            return other
        }

        /// Returns whether an entry can be replayed and is small enough for a terminal.
        private static func isReplayable(_ index: Int, in archive: HARArchive) -> Bool {
            let summary = archive.summary(at: index)
            let limit = 1 << 20
            guard summary.byteRange.count <= limit, summary.size ?? 0 <= limit,
                let entry = try? archive.entry(at: index)
            else { return false }
            let request = InterceptedRequest(url: summary.url)
            return (try? Reply(of: entry, to: request, in: archive.bodyFolder, allowsMissingBody: false)) != nil
        }

        /// Prints an event.
        func print(_ event: RelayServer.Event) {
            switch event {
            case .clientError(let error):
                inQueue(error.reason.utf8.count) { output in
                    guard output.isJSON else { return output.write("client \(error)", to: .standardError, now: true) }
                    output.write(
                        json: [
                            "client": error.address.map { .string(JSONString($0)) } ?? .null,
                            "problem": .string(JSONString(error.reason)),
                        ], now: true)
                }
            case .exchange(let exchange):
                // The body and the fields of the request are not printed, and would take much memory.
                let exchange = exchange.withoutContent
                inQueue(exchange.request.url.utf8.count) { output in
                    output.isJSON
                        ? output.print(json: exchange) : output.write(MessageText.printable("\(exchange)"), now: true)
                }
            }
        }

        /// Writes a line on the queue, unless too many lines wait.
        private func inQueue(_ textSize: Int, _ write: @escaping @Sendable (ServeOutput) -> Void) {
            let size = textSize + 256
            let mayWait = waiting.withLock { waiting in
                let mayWait = waiting.size + size <= WaitingLines.limit
                if mayWait { waiting.size += size } else { waiting.dropped += 1 }
                return mayWait
            }
            guard mayWait else { return }
            queue.async { [self] in
                write(self)
                let dropped = waiting.withLock { waiting in
                    waiting.size -= size
                    defer { waiting.dropped = 0 }
                    return waiting.dropped
                }
                guard dropped > 0 else { return }
                let text =
                    "\(dropped) \(dropped == 1 ? "line was" : "lines were") dropped because the output was blocked"
                isJSON
                    ? self.write(json: ["problem": .string(JSONString(text))], now: true) : self.write(text, now: true)
            }
        }

        private func print(json exchange: ObservedExchange) {
            let (outcome, value): (String, JSONValue) =
                switch exchange.result {
                case .success(let status): ("status", .number(JSONNumber(status)))
                case .failure(let error):
                    ("failure", .string(JSONString("\(type(of: error)) \((error as NSError).code)")))
                }
            write(
                json: [
                    "method": .string(JSONString(exchange.request.method)),
                    "url": .string(JSONString(exchange.maskedURL)), outcome: value,
                    "bytes": .number(JSONNumber(exchange.bodySize)),
                    "milliseconds": .number(JSONNumber(Int(clamping: exchange.duration / .milliseconds(1)))),
                    "source": .string(JSONString("\(exchange.source)")),
                ], now: true)
        }

        private func write(json object: JSONValue, now: Bool = false) {
            write(String(decoding: object.data(layout: .compact), as: UTF8.self), now: now)
        }

        private func write(_ line: String, to file: FileHandle? = nil, now: Bool = false) {
            let file = file ?? self.file
            let line = Data((line + "\n").utf8)
            // The reader of a pipe may be gone, which must not stop the server.
            if now { try? file.write(contentsOf: line) } else { queue.async { try? file.write(contentsOf: line) } }
        }

        /// Waits until all lines are written, for at most five seconds, because the output may be blocked.
        func finish() {
            let end = DispatchGroup()
            queue.async(group: end) {}
            _ = end.wait(timeout: .now() + 5)
        }

        /// Prints a warning.
        static func warn(_ message: String) {
            StandardStreams.writeToStandardError("har: warning: \(message)\n")
        }

        /// Prints an error and ends the process.
        static func fail(_ message: String, status: Int32 = 1) -> Never {
            StandardStreams.writeToStandardError("har: error: \(message)\n")
            exit(status)
        }
    }

    extension RelayServer {
        /// Returns the address that clients use.
        ///
        /// - Parameter token: The secret that they send, or nil for none.
        /// - Returns: The URL.
        func address(with token: String?) -> String {
            token.map { url.absoluteString.replacing("http://", with: "http://relay:\($0)@", maxReplacements: 1) }
                ?? url.absoluteString
        }
    }
#endif
