import ArgumentParser

/// Numbers as they are typed: `200`, `200-299`, `2xx`, and several with commas between them.
struct NumberRanges: ExpressibleByArgument {
    /// The numbers.
    let ranges: [ClosedRange<Int>]

    init?(argument: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
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
