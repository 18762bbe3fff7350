import ArgumentParser
import Foundation
import HTTPArchive

/// A time as it is typed: ISO 8601, in UTC unless it says otherwise; a day alone is its begin.
struct Moment: ExpressibleByArgument {
    /// The time.
    let date: Date

    init?(argument: String) {
        let completions = [
            argument, "\(argument)Z", "\(argument):00Z", "\(argument)T00:00:00Z",
        ]
        guard let date = completions.lazy.compactMap(HAR.date).first else { return nil }
        self.date = date
    }
}
