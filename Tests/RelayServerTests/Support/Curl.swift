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
            let words = ["env", "-i", "/usr/bin/curl", "-q", "-sS", "--noproxy", "", "--max-time", "3600"] + arguments
            let command = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ") + " 2>&1"
            (status, output) = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try Self.run(command) }) }
            }
        }

        private static func run(_ command: String) throws -> (status: Int32, output: String) {
            guard let stream = popen(command, "r") else { throw POSIXError(.ENOMEM) }
            var output = [UInt8]()
            while case let byte = getc(stream), byte >= 0 { output.append(UInt8(truncatingIfNeeded: byte)) }
            let status = pclose(stream)
            return (status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F, String(decoding: output, as: UTF8.self))
        }
    }
#endif
