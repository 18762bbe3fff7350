import Foundation
import Synchronization

/// A run: many requests from concurrent tasks, whose results are compared with the expected results.
final class Run: Sendable {
    private static let width = 100

    private let requests: Int
    private let seed: UInt64
    private let isPlain: Bool
    private let replay: ReplayLoad
    private let live: LiveLoad
    private let results = Results()
    private let watchdog = Watchdog()
    private let last = Atomic(0)
    private let start = ContinuousClock.now

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - requests: The number of requests.
    ///   - seed: The seed of all random choices.
    ///   - folder: An empty folder for archives.
    ///   - isPlain: Whether all requests are sent to the server without Relay.
    /// - Throws: An error if the archive cannot be written or the server cannot be started.
    init(requests: Int, seed: UInt64, in folder: URL, isPlain: Bool) throws {
        self.requests = requests
        self.seed = seed
        self.isPlain = isPlain
        replay = try ReplayLoad(in: folder)
        // Recordings are smaller in short runs, so that these also have many recorders.
        live = LiveLoad(
            in: folder, server: try Server(seed: seed), recordingSize: max(500, min(5_000, requests / 200)), seed: seed,
            isPlain: isPlain)
    }

    /// Makes all requests, and returns whether all results are as expected.
    func perform() async throws -> Bool {
        print("soak: \(requests) requests, seed \(seed)\(isPlain ? ", without Relay" : "")")
        if !isPlain { try await replay.fillCaches() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.width {
                group.addTask { [self] in while try await performNext() {} }
            }
            try await group.waitForAll()
        }
        if let check = try await live.finish() { results.add(check) }
        let isPassed = summarize()
        if let check = live.lastCheck, try Self.entryCountInPython(of: check.archive) != check.entryCount {
            print("soak: \(check.archive.path): Python reads a different number of entries")
            return false
        }
        return isPassed
    }

    /// Makes the next request, or returns `false` after the last request.
    private func performNext() async throws -> Bool {
        let number = last.add(1, ordering: .relaxed).newValue
        guard number <= requests else { return false }
        watchdog.begin(number)
        defer { watchdog.end(number) }
        var generator = SeededNumbers(seed: seed &+ 1, number: number)
        if !isPlain, generator.happens(0.5) {
            let (verdict, url) = try await replay.run(number, using: &generator)
            results.add(verdict, isReplay: true, of: "request \(number), \(url)")
        } else {
            let (verdict, check) = try await live.run(number, using: &generator)
            results.add(
                verdict, isReplay: false, of: "request \(number), \(LivePlan(number: number, seed: seed).course)")
            if let check { results.add(check) }
        }
        if number.isMultiple(of: max(1, requests / 100)) { results.add(try ProcessFigures()) }
        if number.isMultiple(of: max(1, requests / 10)) { printProgress(number) }
        return true
    }

    private func printProgress(_ number: Int) {
        let counts = results.counts
        let figures = results.figures.last
        print(
            "\(number * 100 / requests)%: \(number) requests, \(rate(number)) per second, "
                + "\(counts.entries) entries checked, \(counts.wrong) wrong, \(counts.lost) lost, "
                + "\((figures?.memory ?? 0) / 1_024) MB, \(figures?.descriptors ?? 0) descriptors, "
                + "\(figures?.threads ?? 0) threads")
        fflush(nil)
    }

    private func rate(_ count: Int) -> Int { Int(Double(count) / (start.duration(to: .now) / .seconds(1))) }

    /// Prints the results and returns whether the run passed.
    private func summarize() -> Bool {
        let counts = results.counts
        let figures = results.figures
        print(
            """
            requests to the server   \(counts.sent)
            responses from Relay     \(counts.replayed)
            responses of the server  \(counts.recorded)
            canceled                 \(counts.canceled)
            failed as planned        \(counts.failed)
            stopped with a recorder  \(counts.stopped)
            archives checked         \(counts.archives)
            entries checked          \(counts.entries)
            wrong                    \(counts.wrong)
            lost                     \(counts.lost)
            requests per second      \(rate(requests))
            """)
        var isPassed = counts.wrong == 0 && counts.lost == 0
        // FoundationNetworking leaks 150 bytes for each request to a server, even without Relay:
        // `CFURLSessionCurlHostIsEqual` does not free four strings. The compared windows are 80% of the run apart.
        let leak = counts.sent * 150 * 8 / 10 / 1_024
        let growths = [
            Growth(of: "memory, in kB", in: figures.map(\.memory), allowance: 8 * 1_024 + leak),
            Growth(of: "descriptors", in: figures.map(\.descriptors), allowance: 40),
            Growth(of: "threads", in: figures.map(\.threads), allowance: 16),
        ]
        for growth in growths {
            print("\(growth.name): \(growth.first) in the second tenth, \(growth.last) in the last")
            if growth.isExceeded { print("soak: \(growth.name): more than \(growth.limit)") }
            if growth.isExceeded { isPassed = false }
        }
        print(isPassed ? "soak: passed" : "soak: failed")
        return isPassed
    }

    /// Reads an archive with another parser and returns the number of its entries.
    private static func entryCountInPython(of archive: URL) throws -> Int? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = "import json, sys; print(len(json.load(open(sys.argv[1], encoding='utf-8'))['log']['entries']))"
        process.arguments = ["python3", "-c", script, archive.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
