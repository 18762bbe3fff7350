#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    /// Messages to clients, which must not contain paths of the server's machine.
    @Suite(.limited) struct LocalPathTests {
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        /// Returns the text of the response to a request from two archives in a folder with a unique name.
        private func response(to path: String, rules: String? = nil) async throws -> String {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var missing = HAR.Entry.entry("GET", "http://a/missing", text: nil)
            missing.response.content["_file"] = "bodies/none.bin"
            missing.response.content["_fileEncoding"] = "identity"
            var outside = missing
            outside.request.url = "http://a/outside"
            outside.response.content["_file"] = "../../none.bin"
            var folderBody = missing
            folderBody.request.url = "http://a/folder"
            folderBody.response.content["_file"] = "."
            var bomb = HAR.Entry.entry("GET", "http://a/text", headers: [("Content-Type", "a/b")], text: nil)
            bomb.response.content.size = 5
            var archives: [HARArchive] = []
            for (name, entries) in [("first.har", [missing, outside, folderBody, bomb]), ("second.har", [missing])] {
                let file = folder.appendingPathComponent(name)
                let writer = try HARWriter(to: file)
                for entry in entries { try writer.append(entry) }
                try writer.finish()
                archives.append(try HARArchive(contentsOf: file))
            }
            let interceptor = Interceptor(playing: archives)
            if let rules {
                let file = folder.appendingPathComponent("rules.yaml")
                try rules.write(to: file, atomically: true, encoding: .utf8)
                interceptor.add(try RuleFile(contentsOf: file).rules)
            }
            return try await interceptor.serve { server in
                try await RawClient.exchange("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", with: server)
            }
        }

        @Test(arguments: ["/missing", "/outside", "/folder", "/text"])
        func `an entry that cannot be replayed is described without a path`(path: String) async throws {
            let text = try await response(to: path)
            #expect(text.hasPrefix("HTTP/1.1 502 "))
            #expect(text.contains("first.har"))
            #expect(!text.contains(folder.lastPathComponent))
        }

        @Test(arguments: ["/missin", "/none", "/tmp/missing", "/missing/\(FileManager.default.currentDirectoryPath)"])
        func `a miss names archives without their folder`(path: String) async throws {
            let text = try await response(to: path)
            #expect(text.hasPrefix("HTTP/1.1 404 "))
            #expect(text.contains("http://a\(path)"), "the URL is complete")
            #expect(!text.contains(folder.lastPathComponent))
        }

        @Test func `an override that fails is described without the path of its rules`() async throws {
            let text = try await response(
                to: "/a", rules: "rules:\n- request: http://a/a\n  stub: { text: a }\n- override: { set: { /a: 1 } }\n")
            #expect(text.hasPrefix("HTTP/1.1 502 "))
            #expect(!text.contains(folder.lastPathComponent))
        }
    }
#endif
