package import HTTPArchive

/// A list of entries that the page shows: an archive, or the exchanges of a running program.
package protocol ViewedEntries: Sendable {
    /// The log, without its entries.
    var log: HAR.Log { get }

    /// The number of entries, which can increase.
    var count: Int { get }

    /// A number that changes when entries are removed, so that their indices are used again.
    var generation: Int { get }

    /// The folder with body files, or nil for an archive without a folder.
    var files: HAR.BodyFolder? { get }

    /// Returns the summary of an entry.
    func summary(at index: Int) -> HAREntrySummary

    /// Returns the facts about an entry for a filter.
    func facts(at index: Int) -> HAREntryFacts

    /// Reads an entry.
    func entry(at index: Int) throws(HARError) -> HAR.Entry

    /// Calls a closure with the URL of each entry in a range.
    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void)
}

extension HARArchive: ViewedEntries {
    package var generation: Int { 0 }

    package var files: HAR.BodyFolder? { bodyFolder }

    package func facts(at index: Int) -> HAREntryFacts { HAREntryFacts(of: self, at: index) }
}
