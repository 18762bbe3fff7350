/// A summary of the differences between two archives in Markdown, with a limited length.
///
/// A comment on GitHub has at most 65,536 characters.
struct DiffSummary {
    /// A list whose lines have a limited size.
    struct List {
        private let sizeLimit: Int
        private var size = 0
        private(set) var count = 0
        private(set) var lines: [String] = []

        /// The number of items that exceed the limit.
        private(set) var omittedCount = 0

        init(sizeLimit: Int) {
            self.sizeLimit = sizeLimit
        }

        /// Adds an item of several lines, unless it exceeds the limit.
        mutating func append(_ item: [String]) {
            count += 1
            let itemSize = item.reduce(0) { $0 + $1.utf8.count + 1 }
            guard omittedCount == 0, size + itemSize <= sizeLimit else { return omittedCount += 1 }
            size += itemSize
            lines += item
        }
    }

    /// The number of bodies that cannot be searched for secrets.
    var unsearchedCount = 0

    var secrets = List(sizeLimit: 8_000)
    var added = List(sizeLimit: 15_000)
    var removed = List(sizeLimit: 15_000)
    var changed = List(sizeLimit: 20_000)

    /// Returns the lines of the summary.
    ///
    /// - Parameter title: The first line.
    /// - Returns: The lines.
    func lines(title: String) -> [String] {
        let count = secrets.count.of("secret", "secrets")
        let sections = [
            ("**\(count) in the new version:**", secrets), ("Added:", added),
            ("Removed:", removed), ("Changed:", changed),
        ]
        let bodies = unsearchedCount.of("body", "bodies")
        return [title, ""]
            + (unsearchedCount > 0 ? ["\(bodies) of the new version cannot be searched for secrets.", ""] : [])
            + sections.filter { $0.1.count > 0 }.flatMap { heading, list in
                let more = list.omittedCount > 0 ? ["- … and \(list.omittedCount) more"] : []
                return [heading, ""] + list.lines + more + [""]
            }
    }
}
