#if Server
    import Dispatch
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer

    /// A command whose HTTP requests go through a proxy, because of its environment variables.
    struct ProxiedCommand {
        private let words: [String]
        private let proxy: String
        private let authority: URL?

        /// The certificates of the system, at the paths of Debian, Fedora and macOS.
        private static let systemAuthorities = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        ]

        /// Prepares a command.
        init(_ words: [String], through server: RelayServer, token: String?) {
            self.words = words
            proxy = server.address(with: token)
            authority = server.authority?.url
        }

        /// Runs the command.
        ///
        /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
        /// - Throws: `invalidSetting` if it cannot be started.
        func run() async throws -> Int32 {
            let bundle = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString).pem")
            defer { _ = FileSystemCalls.current.remove(bundle.path) }
            let output = try OutputFile(url: bundle)
            try output.write(Array(certificates()))
            try output.finish()
            let process = try start(environment(trusting: bundle.path))
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    let signal = status & 0x7F
                    continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : 128 + signal)
                }
            }
        }

        /// The certificates of the system, for servers whose connections are passed on, and of the proxy.
        private func certificates() throws -> Data {
            let system = Self.systemAuthorities.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
            return try (system ?? Data()) + Data("\n".utf8) + (authority.map { try Data(contentsOf: $0) } ?? Data())
        }

        private func environment(trusting bundle: String) -> [String: String] {
            var environment = ProcessInfo.processInfo.environment
            for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] { environment[name] = proxy }
            for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"] { environment[name] = nil }
            for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
                environment[name] = bundle
            }
            environment["NODE_USE_ENV_PROXY"] = "1"
            return environment
        }

        private func start(_ environment: [String: String]) throws(RelayError) -> pid_t {
            var arguments = words.map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in arguments + variables { free(text) } }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // The proxy ignores these signals, and a command would inherit that.
            var signals = sigset_t()
            sigemptyset(&signals)
            for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
            var process = pid_t()
            let code = posix_spawnp(&process, words[0], nil, &attributes, &arguments, &variables)
            guard code == 0 else {
                throw RelayError(
                    .invalidSetting,
                    "The command '\(MessageText.printable(words[0]))' cannot be started: \(String(cString: strerror(code)))."
                )
            }
            return process
        }
    }
#endif
