#if os(Linux)
    import Foundation
    import Testing

    @Suite(.limited) struct XCTestFailureTests {
        /// Runs the failing tests in a separate process and returns their output.
        private func output() throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["RelayTestingTests.FailingCase"]
            process.environment = ProcessInfo.processInfo.environment.merging([FailingCase.variable: "1"]) { $1 }
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus != 0)
            return String(decoding: data, as: UTF8.self)
        }

        @Test func `misses and unused entries are failures at the calling line`() throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            let file = folder.appendingPathComponent("FailingCase.swift").path
            let lines = try String(contentsOfFile: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
            let calls = lines.indices.filter { lines[$0].contains("\"shop\"") }.map { $0 + 1 }
            try #require(calls.count == 3)
            let damaged = try #require(lines.firstIndex { $0.contains("\"damaged\"") }) + 1
            let output = try output()
            for text in [
                "\(file):\(calls[0]): error: FailingCase.testMiss : failed - \(folder.path)/shop.har: "
                    + "No entry matches GET http://shop.invalid/pears.",
                "This request was made 2 times.",
                "\(file):\(calls[1]): error: FailingCase.testUnusedEntries : failed - \(folder.path)/shop.har: "
                    + "1 of 2 entries was not used:",
                "\(file):\(calls[2]): error: FailingCase.testOperation : failed - \(folder.path)/shop.har: "
                    + "No entry matches GET http://shop.invalid/plums.",
                "\(file):\(damaged): warning: \(folder.path)/Recordings/damaged.har:",
                "Executed 5 tests, with 4 failures (1 unexpected)",
            ] {
                #expect(output.contains(text))
            }
            // A miss that the test throws is not reported again.
            #expect(output.components(separatedBy: "No entry matches GET http://shop.invalid/cherries.").count == 2)
        }
    }
#endif
