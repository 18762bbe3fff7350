import Allocator
import Foundation

/// A snapshot of this process's resource usage.
struct ProcessFigures: Sendable {
    /// The resident memory, in kB, without the memory that the allocator can return to the system.
    let memory: Int

    let descriptors: Int
    let threads: Int

    /// Measures this process.
    init() throws {
        allocator_trim()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        memory = value("VmRSS")
        threads = value("Threads")
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}

/// A comparison of the second tenth of a run with its last tenth.
struct Growth {
    let name: String
    let first: Int
    let last: Int
    let limit: Int

    /// Compares the medians of a measured value.
    ///
    /// - Parameters:
    ///   - name: The name of the value.
    ///   - values: All measurements of the run, in order.
    ///   - allowance: The allowed growth in addition to 10%.
    init(of name: String, in values: [Int], allowance: Int) {
        func median(_ values: some Sequence<Int>) -> Int {
            let values = values.sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        self.name = name
        let tenth = max(1, values.count / 10)
        first = median(values.dropFirst(tenth).prefix(tenth))
        last = median(values.suffix(tenth))
        limit = first + first / 10 + allowance
    }

    var isExceeded: Bool { last > limit }
}
