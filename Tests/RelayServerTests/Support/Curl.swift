#if Server
    import Foundation
    import RelayServer

    /// A run of the curl tool.
    struct Curl {
        let status: Int32
        let output: String

        /// Runs curl without its configuration files and without proxies from the environment.
        init(_ arguments: String...) async throws { try await self.init(arguments) }

        /// Runs curl without its configuration files and without proxies from the environment.
        init(_ arguments: [String]) async throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments = ["-q", "-sS", "--noproxy", "", "--max-time", "3600"] + arguments
            process.environment = [:]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            // waitUntilExit() must be called on the thread that has started the process.
            let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = {
                continuation.yield($0.terminationStatus)
                continuation.finish()
            }
            try process.run()
            output = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let data = pipe.fileHandleForReading.readDataToEndOfFile()
                    continuation.resume(returning: String(decoding: data, as: UTF8.self))
                }
            }
            status = await statuses.first { _ in true } ?? -1
        }
    }
#endif
