#if os(Linux)
    import Foundation
    import Testing

    @Suite(.limited) struct XCTestFailureTests {
        @Test func `a missing track fails an XCTest test`() throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["VinylTests.MissingTrackCase"]
            process.environment = ProcessInfo.processInfo.environment.merging([MissingTrackCase.variable: "1"]) { $1 }
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus != 0)
            #expect(output.contains("error: MissingTrackCase.testMissingTrack : failed"))
            #expect(output.contains("vinyl_single.json: No entry matches GET http://api.test.com/missing."))
            #expect(output.contains("Executed 1 test, with 1 failure"))
        }
    }
#endif
