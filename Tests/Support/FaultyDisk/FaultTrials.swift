package import Foundation
import HTTPArchive
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The trials of one operation, with every kind of failure in every system call of the operation.
package struct FaultTrials {
    /// The way in which a trial ends.
    package enum End: Hashable, Sendable {
        /// The operation continued after a call failed.
        case failure

        /// The process died, but the system completed its writes.
        case death

        /// The machine lost power.
        case powerLoss
    }

    /// A description of a trial, used to check its result.
    package struct Trial: CustomStringConvertible, Sendable {
        /// The planned failure.
        package let plan: FaultyDisk.Plan

        package let end: End

        /// The unflushed changes that survived a power loss.
        package let remains: FaultyDisk.Remains

        /// Whether the operation must succeed, because it repeats interrupted calls and continues short writes.
        package var mustSucceed: Bool { plan.fault == .shortWrite || plan.fault == .error(EINTR) }

        package var description: String { "call \(plan.call), \(plan.fault), \(end), \(remains)" }
    }

    /// The numbers of calls and trials for the table in `Docs/Architecture.md`.
    package struct Counts: Sendable {
        package var calls = 0
        package var failures = 0
        package var deaths = 0
        package var powerLosses = 0

        /// The total number of trials.
        package var trials: Int { failures + deaths + powerLosses }
    }

    private static let faults: [(FaultyDisk.Fault, persists: Bool)] = [
        (.error(EIO), false), (.error(EIO), true), (.error(ENOSPC), false), (.error(ENOSPC), true),
        (.error(EINTR), false), (.shortWrite, false), (.shortWrite, true), (.death, false),
    ]

    /// The number of random selections of unflushed changes for each call.
    private static let choiceCount: UInt64 = 6

    /// Returns the faults to try at a call: all of them, or one that differs from call to call, and at every second call
    /// the death of the process.
    private static func tried(at call: Int) -> [(FaultyDisk.Fault, persists: Bool)] {
        if Cases.areAll { return faults }
        return [faults[call % (faults.count - 1)]] + (call.isMultiple(of: 2) ? [(.death, false)] : [])
    }

    /// Runs an operation with each failure.
    ///
    /// - Parameters:
    ///   - name: The name of the operation in the table.
    ///   - prepare: A function that writes the files that exist before the operation.
    ///   - run: A function that runs the operation in a folder, and returns the results that the operation
    ///     acknowledged. It must release every writer.
    ///   - check: A function that checks the folder after a trial.
    /// - Returns: The numbers of trials.
    /// - Throws: The errors of `prepare` and `check`.
    package static func run<Acknowledged>(
        _ name: String, prepare: (_ folder: URL) throws -> Void, run: (_ folder: URL) -> Acknowledged,
        check: (_ folder: URL, Acknowledged, Trial) throws -> Void
    ) throws -> Counts {
        var counts = Counts()
        // The parity of the name decides unless all cases are run, so that both kinds of files are tried.
        for hasUnnamedFiles in Cases.areAll ? [true, false] : [name.utf8.count.isMultiple(of: 2)] {
            counts.calls = max(
                counts.calls, try self.run(hasUnnamedFiles, prepare, run, check, &counts))
        }
        if ProcessInfo.processInfo.environment["RELAY_FAULT_TABLE"] != nil {
            print(
                "| \(name) | \(counts.calls) | \(counts.failures) | \(counts.deaths) | \(counts.powerLosses) |")
        }
        return counts
    }

    private static func run<Acknowledged>(
        _ hasUnnamedFiles: Bool, _ prepare: (URL) throws -> Void, _ run: (URL) -> Acknowledged,
        _ check: (URL, Acknowledged, Trial) throws -> Void, _ counts: inout Counts
    ) throws -> Int {
        var call = 1
        while true {
            var isReached = false
            for (fault, persists) in tried(at: call) {
                let plan = FaultyDisk.Plan(call: call, fault: fault, persists: persists)
                let root = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
                defer { try? FileManager.default.removeItem(at: root) }
                let folder = root.appendingPathComponent("disk")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try prepare(folder)
                let disk = try FaultyDisk(folder, plan: plan, hasUnnamedFiles: hasUnnamedFiles)
                let acknowledged = FileSystemCalls.$current.withValue(disk.calls) { run(folder) }
                if disk.callCount >= call { isReached = true }
                guard disk.hasFailed else { continue }
                guard fault == .death else {
                    counts.failures += 1
                    try check(folder, acknowledged, Trial(plan: plan, end: .failure, remains: .all))
                    continue
                }
                let choices = (1...choiceCount).map { FaultyDisk.Remains.some(seed: $0) }
                for remains in [.none, .all] + Cases.some(1, of: choices) {
                    counts.powerLosses += 1
                    let copy = root.appendingPathComponent("remains")
                    try disk.writeRemains(remains, to: copy)
                    try check(copy, acknowledged, Trial(plan: plan, end: .powerLoss, remains: remains))
                    try FileManager.default.removeItem(at: copy)
                }
                // The check can repair the files, so it runs after the power loss trials.
                counts.deaths += 1
                try check(folder, acknowledged, Trial(plan: plan, end: .death, remains: .all))
            }
            if !isReached { return call - 1 }
            call += 1
        }
    }
}
