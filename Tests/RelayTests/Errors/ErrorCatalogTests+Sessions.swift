#if canImport(FoundationNetworking)
    import ErrorCatalog
    import Foundation
    import FoundationInternals
    import FoundationNetworking
    import HTTPArchive
    import Testing

    import Relay
    @testable import RelayCore
    @testable import RelayURLSession

    extension ErrorCatalog {
        /// Adds the error of a request in a session of an interceptor.
        private mutating func add(_ title: String, _ url: String = "http://shop.invalid/", by interceptor: Interceptor)
            async
        {
            await add(title, awaiting: { try await interceptor.session().text(url) })
        }

        mutating func addSessions(_ archives: TemporaryArchives) async throws {
            let stopped = Interceptor.saying("x")
            stopped.stop()
            await add("an interceptor that was stopped", by: stopped)
            let configuration = URLSessionConfiguration.ephemeral
            Interceptor.saying("gone").install(in: configuration)
            await add(
                "an interceptor that was deallocated",
                awaiting: {
                    try await URLSession(configuration: configuration).text("http://shop.invalid/?token=secret")
                })
            var limited = Interceptor.Configuration()
            limited.clock = NotingClock()
            let never = AsyncStream.makeStream(of: Void.self)
            let slow = Interceptor(configuration: limited)
            slow.add(
                .stub(.any) { _ in
                    for await _ in never.stream {}
                    return .status(200)
                })
            await add("a closure that does not return", "http://shop.invalid/?token=secret", by: slow)
            await add("a WebSocket", "ws://shop.invalid/", by: .saying("x"))
            await add("an FTP address", "ftp://shop.invalid/", by: .saying("x"))
            await add("an invalid status", by: .responding { $0.reply(status: 1000) })
            let cut = Interceptor.with(.stub(.any, .text("x")), .override(.any, .cutOff(afterBytes: 0)))
            await add("a response that ends early", by: cut)
            await add("endless redirects", by: .with(.stub(.any, .redirect(to: "/"))))
            await add("a live request without a scheme", "shop.invalid/items", by: .with(.passThrough(.any)))
            let missing = archives.folder.appendingPathComponent("missing")
            await add(
                "a missing upload file",
                awaiting: {
                    let request = URLRequest("http://shop.invalid/", method: "POST")
                    return try await Interceptor.saying("x").session().upload(for: request, fromFile: missing)
                })
        }

        mutating func addNetwork() async throws {
            await add(
                "a request that the network policy forbids",
                awaiting: {
                    try await NetworkPolicy.forbid.apply {
                        try await URLSession.shared.text("http://shop.invalid/?token=secret")
                    }
                })
            let url = "http://ambiguous.invalid/"
            let first = Interceptor(entries: [.entry("GET", url)], name: "first.har")
            let second = Interceptor(entries: [.entry("GET", url)], name: "second.har")
            try await first.interceptEverySession {
                try await second.interceptEverySession {
                    await add(
                        "several interceptors for a host",
                        awaiting: { try await Task.detached { try await URLSession.shared.text(url) }.value })
                }
            }
        }

        /// Adds the messages of a program that runs with simulated missing capabilities.
        mutating func addPlatforms() async throws {
            replace(PlatformVersions.description, with: "VERSIONS")
            for (title, mode, capability, kind) in [
                ("scopes without a capability", "scopes", "methodTables", "scope"),
                ("every request without a capability", "scopes", "taskQueue", "scope"),
                ("sessions without a capability", "sessions", "taskSession", "session"),
                ("uploads without a capability", "sessions", "uploadBody", "upload"),
                ("downloads without a capability", "sessions", "downloadFile", "download"),
            ] {
                let lines = try await TestProgram.lines(
                    of: "MissingCapabilities", [mode, "http://127.0.0.1:9/"],
                    environment: [
                        "RELAY_FAILING_CAPABILITIES": capability, "RELAY_NETWORK": nil, "RELAY_MODE": nil,
                        "RELAY_INTERPOSITION": nil,
                    ])
                let prefix = "\(kind): error: "
                let line = try #require(lines.first { $0.hasPrefix(prefix) }, "\(lines)")
                add(code: "unsupportedPlatform", title, String(line.dropFirst(prefix.count)))
                guard let log = lines.first(where: { $0.hasPrefix("log: ") }) else { continue }
                add(code: "log", title, String(log.dropFirst(5)))
            }
        }
    }
#endif
