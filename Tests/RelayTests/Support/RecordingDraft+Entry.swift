import HTTPArchive

@testable import RelayCore

extension RecordingDraft {
    /// Appends an entry.
    func append(_ entry: HAR.Entry, number: Int, replacing replacement: Replacement) throws(HARError) {
        try append(HARWriter.appendableText(of: entry, layout: layout), number: number, replacing: replacement)
    }
}
