#if canImport(FoundationNetworking)
    import Foundation
    import FoundationInternals
    import FoundationNetworking
    import HTTPArchive
    import Testing

    import Relay

    /// Programs that run on a platform without a capability that Relay uses.
    @Suite(.limited) struct MissingCapabilityTests {
        /// The output of a program that sends requests, and the number of requests that reached the network.
        private struct Run {
            var lines: [String]
            var requestCount: Int

            /// Returns the lines of a kind, such as `log`, without the prefix that names it.
            func lines(of kind: String) -> [String] {
                lines.filter { $0.hasPrefix("\(kind): ") }.map { String($0.dropFirst(kind.count + 2)) }
            }
        }

        private func run(
            _ mode: String, failing capability: String? = nil, environment changes: [String: String] = [:]
        ) async throws -> Run {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            var environment: [String: String?] = ["RELAY_NETWORK": nil, "RELAY_MODE": nil, "RELAY_INTERPOSITION": nil]
            environment["RELAY_FAILING_CAPABILITIES"] = .some(capability)
            let lines = try await TestProgram.lines(
                of: "MissingCapabilities", [mode, server.url("/?token=s3cr3t")],
                environment: environment.merging(changes) { $1 })
            #expect(!lines.contains { $0.contains("s3cr3t") })
            return Run(lines: lines, requestCount: server.requests.count)
        }

        private static let scopes = ["scope", "shared", "synchronous", "begun", "caller"]

        @Test func `with all capabilities, every request is intercepted, and nothing is logged`() async throws {
            let scopes = try await run("scopes")
            #expect(scopes.lines == ["coverage: everySession"] + Self.scopes.map { "\($0): stub" })
            #expect(scopes.requestCount == 0)
            let sessions = try await run("sessions")
            #expect(sessions.lines == ["session", "installed", "upload", "download", "handler"].map { "\($0): stub" })
            #expect(try await run("compatibility").lines == ["Relay: stub", "Innernet: stub"])
        }

        @Test(arguments: ["forbid", "forbid-except-loopback"])
        func `with all capabilities, every request is intercepted under any network policy`(policy: String) async throws
        {
            let environment = ["RELAY_NETWORK": policy]
            for mode in ["scopes", "sessions", "compatibility"] {
                let run = try await run(mode, environment: environment)
                let others = run.lines.filter { $0 != "coverage: everySession" }
                #expect(others.count > 1 && others.allSatisfy { $0.hasSuffix(": stub") }, "\(run.lines)")
                #expect(run.requestCount == 0)
            }
            let recording = try await run("recording", environment: environment)
            #expect(recording.lines(of: "recorded") == ["live"])
            #expect(!recording.lines.contains { $0.contains(#""comment""#) || $0.hasPrefix("log: ") })
        }

        @Test(arguments: ["methodTables", "callerContext", "taskAttachment", "taskQueue", "taskSession"])
        func `scopes throw an error if a capability that they need is missing`(capability: String) async throws {
            let run = try await run("scopes", failing: capability)
            #expect(run.requestCount == 0)
            #expect(run.lines(of: "coverage") == ["noSession"])
            #expect(run.lines(of: "missing").contains { $0.hasPrefix("\(capability): ") })
            #expect(run.lines(of: "log").count { $0.contains(capability) } == 1)
            for scope in Self.scopes {
                let error = try #require(run.lines(of: scope).first)
                let parts = ["error: ", "(capability `\(capability)`)", "Swift 6", "libcurl/"]
                for part in parts { #expect(error.contains(part)) }
                let isForEveryRequest = ["taskQueue", "taskSession"].contains(capability)
                #expect(error.contains("`session()`") != isForEveryRequest)
            }
        }

        @Test func `a request fails if its task cannot be associated with its scope`() async throws {
            let run = try await run("scopes", failing: "taskAttachment:later")
            #expect(run.requestCount == 0)
            #expect(run.lines(of: "coverage") == ["everySession"])
            for scope in Self.scopes {
                #expect(run.lines(of: scope).first?.contains("(taskAttachment, Swift 6") == true)
            }
        }

        @Test(arguments: ["methodTables", "callerContext", "taskAttachment"])
        func `an interceptor's own sessions work without the capabilities that only scopes need`(capability: String)
            async throws
        {
            let run = try await run("sessions", failing: capability)
            #expect(run.requestCount == 0)
            #expect(run.lines == ["session", "installed", "upload", "download", "handler"].map { "\($0): stub" })
        }

        @Test(arguments: ["taskQueue", "taskSession"])
        func `all requests in an interceptor's own sessions fail if a capability that they need is missing`(
            capability: String
        ) async throws {
            let run = try await run("sessions", failing: capability)
            #expect(run.requestCount == 0)
            let others = run.lines.filter { !$0.hasPrefix("log: ") }
            #expect(others.count == 5)
            #expect(others.allSatisfy { $0.contains("error: ") && $0.contains("(capability `\(capability)`)") })
            #expect(run.lines(of: "log").count == 1)
        }

        @Test func `only uploads fail if their bodies cannot be read`() async throws {
            let run = try await run("sessions", failing: "uploadBody")
            #expect(run.requestCount == 0)
            for other in ["session", "installed", "download", "handler"] {
                #expect(run.lines(of: other) == ["stub"])
            }
            #expect(run.lines(of: "upload").first?.contains("(capability `uploadBody`)") == true)
        }

        @Test func `only downloads fail if their file cannot be passed on`() async throws {
            let run = try await run("sessions", failing: "downloadFile")
            #expect(run.requestCount == 0)
            for other in ["session", "installed", "upload", "handler"] { #expect(run.lines(of: other) == ["stub"]) }
            #expect(run.lines(of: "download").first?.contains("(capability `downloadFile`)") == true)
        }

        @Test(arguments: ["bodyChunks", "byteCounts", "awaitedTasks", "taskEnd", "transferLog"])
        func `requests are intercepted even if an optional capability is missing`(capability: String) async throws {
            for mode in ["scopes", "sessions", "compatibility"] {
                let run = try await run(mode, failing: capability)
                #expect(run.requestCount == 0)
                let others = run.lines.filter { !$0.hasPrefix("log: ") && !$0.hasPrefix("missing: ") }
                #expect(others.allSatisfy { $0.hasSuffix(": stub") || $0 == "coverage: everySession" }, "\(others)")
            }
        }

        @Test(arguments: [
            "methodTables", "callerContext", "taskAttachment", "taskAttachment:later", "taskQueue", "taskSession",
            "sharedSession", "sharedSession,methodTables",
        ])
        func `requests in the shared session never reach the network`(capability: String) async throws {
            let run = try await run("compatibility", failing: capability)
            #expect(run.requestCount == 0)
            #expect(run.lines.allSatisfy { $0.hasSuffix(": stub") || $0.contains("error: ") }, "\(run.lines)")
        }

        @Test func `recorded entries have a comment about missing information`() async throws {
            let run = try await run("recording", failing: "transferLog")
            #expect(run.lines(of: "recorded") == ["live"])
            #expect(run.lines(of: "log").count { $0.contains("transferLog") } == 1)
            #expect(run.lines.contains { $0.contains(#""comment": "The libcurl handle"#) })
            #expect(!(try await self.run("recording")).lines.contains { $0.contains(#""comment""#) })
        }

        @Test func `an environment variable disables changes to other libraries`() async throws {
            let scopes = try await run("scopes", environment: ["RELAY_INTERPOSITION": "off"])
            #expect(scopes.requestCount == 0)
            #expect(scopes.lines(of: "coverage") == ["noSession"])
            #expect(scopes.lines(of: "scope").first?.contains("RELAY_INTERPOSITION is 'off'") == true)
            let sessions = try await run("sessions", environment: ["RELAY_INTERPOSITION": "off"])
            #expect(sessions.lines.allSatisfy { $0.hasSuffix(": stub") })
            let unknown = try await run("scopes", environment: ["RELAY_INTERPOSITION": "no"])
            #expect(unknown.lines(of: "scope").first?.contains("Set it to 'on' or 'off'") == true)
            #expect(unknown.requestCount == 0)
        }

        @Test(arguments: ["methodTables", "callerContext", "taskAttachment", "taskQueue", "taskSession"])
        func `a forbidden network stays forbidden if a capability is missing`(capability: String) async throws {
            for mode in ["scopes", "sessions", "compatibility"] {
                let run = try await run(mode, failing: capability, environment: ["RELAY_NETWORK": "forbid"])
                #expect(run.requestCount == 0)
                if capability == "methodTables" {
                    #expect(run.lines.first?.hasPrefix("error: RELAY_NETWORK cannot be enforced") == true)
                }
            }
        }
    }
#endif
