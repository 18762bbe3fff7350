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
            process.arguments = ["-q", "-sS", "--noproxy", "", "--max-time", "60"] + arguments
            process.environment = [:]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            output = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let data = pipe.fileHandleForReading.readDataToEndOfFile()
                    continuation.resume(returning: String(decoding: data, as: UTF8.self))
                }
            }
            process.waitUntilExit()
            status = process.terminationStatus
        }
    }
#endif
