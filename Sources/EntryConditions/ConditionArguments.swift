import ArgumentParser
package import Foundation
import HTTPArchive

/// A duration as a command-line argument: `500ms`, `2s`, `1.5 s` or `250` (milliseconds).
package struct Milliseconds: ExpressibleByArgument {
    private static let units = ["": 1.0, "ms": 1, "s": 1000, "m": 60_000, "min": 60_000]

    /// The number of milliseconds.
    package let count: Double

    package init?(argument: String) {
        guard let match = argument.lowercased().wholeMatch(of: /(\d+(?:\.\d+)?) ?(ms|s|m|min|)/),
            let number = Double(match.1), let unit = Self.units[String(match.2)]
        else { return nil }
        count = number * unit
    }
}

/// An ISO 8601 time as a command-line argument.
///
/// The time zone is UTC by default, and a date without a time means midnight.
package struct Moment: ExpressibleByArgument {
    /// The parsed time.
    package let date: Date

    package init?(argument: String) {
        let completions = ["", "Z", ":00Z", "T00:00:00Z"].lazy.map { argument + $0 }
        guard let date = completions.compactMap(HAR.date).first else { return nil }
        self.date = date
    }
}

/// Numbers as a command-line argument: `200`, `200-299`, `2xx`, or several of these, separated by commas.
package struct NumberRanges: ExpressibleByArgument {
    /// The ranges of numbers.
    package let ranges: [ClosedRange<Int>]

    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        ranges = parts.compactMap(Self.range)
        if ranges.count < parts.count { return nil }
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        if let match = text.wholeMatch(of: /([1-9])xx/.ignoresCase()), let digit = Int(match.1) {
            return digit * 100...digit * 100 + 99
        }
        guard let match = text.wholeMatch(of: /(\d+)(?:-(\d+))?/), let first = Int(match.1),
            let last = match.2.map({ Int($0) }) ?? first, first <= last
        else { return nil }
        return first...last
    }
}

/// A number of bytes as a command-line argument: `4096`, `10kB`, `1.5 MB`, `64 KiB`.
package struct ByteCount: ExpressibleByArgument {
    private static let units = ["": 1.0, "b": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12]
    private static let binaryUnits = ["k": 1024.0, "m": 1_048_576, "g": 1_073_741_824, "t": 1_099_511_627_776]

    /// The number of bytes.
    package let bytes: Int

    package init?(argument: String) {
        guard let match = argument.lowercased().wholeMatch(of: /(\d+(?:\.\d+)?) ?(?:(b|)|([kmgt])b?|([kmgt])ib)/),
            let number = Double(match.1),
            let unit = match.2.flatMap({ Self.units[String($0)] }) ?? match.3.flatMap({ Self.units[String($0)] })
                ?? match.4.flatMap({ Self.binaryUnits[String($0)] }),
            let bytes = Int(exactly: (number * unit).rounded())
        else { return nil }
        self.bytes = bytes
    }
}
