#if os(Linux)
    import Foundation
    import HTTPArchive
    import Testing

    /// Tests of recording in a separate process, because some of the tests that record must fail.
    @Suite(.limited) struct RecordingTests {
        /// Runs the tests that use ``FailingRecordings``, and returns their output and the files in their folder.
        private func run(
            _ arguments: [String], in folder: URL? = nil, fails: Bool = true
        ) throws -> (output: String, files: [String], folder: URL) {
            let folder =
                folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // A file with the name of a folder makes recording into that folder fail.
            try Data().write(to: folder.appendingPathComponent("succeeds"))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging([
                FailingRecordings.variable: folder.path, "RELAY_REDACTION_KEY": "a phrase for tests alone",
            ]) { $1 }
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect((process.terminationStatus != 0) == fails, "\(output)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            return (output, files, folder)
        }

        @Test func `recordings of successful tests are kept as pages named after them`() throws {
            let arguments = ["--testing-library", "swift-testing", "--filter", "FailingRecordingTests"]
            let (output, files, folder) = try run(arguments)
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(files == ["operation.har", "succeeds", "succeeds.har", "warns.har"], "\(output)")
            let log = try HAR.Log(contentsOf: folder.appendingPathComponent("succeeds.har"))
            #expect(log.pages?.map(\.id) == ["FailingRecordingTests/succeeds"])
            #expect(log.entries.map(\.pageref) == ["FailingRecordingTests/succeeds"])
            #expect(log.entries.map(\.request.url) == ["http://127.0.0.1:9/"])
            #expect(log.entries.map(\.response.status) == [0])
            #expect(output.contains("Nothing is recorded"), "\(output)")
            let succeeds = folder.appendingPathComponent("succeeds.har").path
            #expect(output.contains("Relay: 1 entry recorded: \(succeeds)\n"), "\(output)")
            let fails = folder.appendingPathComponent("fails.har").path
            #expect(output.contains("Relay: Archive not changed (1 discarded: a test failed): \(fails)\n"), "\(output)")
        }

        @Test func `recording with a filter keeps the recordings of excluded tests`() throws {
            func run(_ filter: String, in folder: URL? = nil) throws -> (log: HAR.Log, folder: URL) {
                let arguments = ["--testing-library", "swift-testing", "--filter", filter]
                let folder = try self.run(arguments, in: folder, fails: false).folder
                return (try HAR.Log(contentsOf: folder.appendingPathComponent("shared.har")), folder)
            }
            func times(_ log: HAR.Log, of name: String) -> Set<String> {
                Set(log.entries.filter { $0.pageref == "SharedRecordingTests/\(name)" }.map(\.startedDateTime))
            }
            let (all, folder) = try run("SharedRecordingTests")
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(all.entries.count == 5 && all.pages?.count == 3)
            let (filtered, _) = try run("SharedRecordingTests/.*second", in: folder)
            #expect(filtered.entries.count == 5 && filtered.pages?.count == 3)
            for name in ["the-first-one", "a-case"] { #expect(times(filtered, of: name) == times(all, of: name)) }
            #expect(times(filtered, of: "the-second-one").isDisjoint(with: times(all, of: "the-second-one")))
            let (again, _) = try run("SharedRecordingTests", in: folder)
            #expect(again.entries.count == 5)
            #expect(Set(again.entries.map(\.startedDateTime)).isDisjoint(with: filtered.entries.map(\.startedDateTime)))
        }

        @Test func `recordings of successful XCTest tests are kept`() throws {
            let (output, files, folder) = try run(["RelayTestingTests.FailingRecordingCase"])
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(files == ["case.har", "succeeds"], "\(output)")
        }
    }
#endif
