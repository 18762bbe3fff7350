import Foundation

@testable import HTTPArchive

/// Appends entries and a page to arbitrary bytes.
///
/// A file that can be opened must keep its entries and also contain the new entries.
func checkAppending(_ input: Input) {
    let reading = Reading(input.document)
    TemporaryFile.write(input.document)
    let entry = HAR.Entry(fields: ["new": true, "text": "\u{E9}\"]}"])
    do throws(HARError) {
        var configuration = HARWriter.Configuration()
        configuration.layout = [.unchanged, .compact, .pretty][input.choice(0, of: 3)]
        configuration.flushing = input.choice(1, of: 2) == 0 ? .eachEntry : .atEnd
        let writer = try HARWriter(appendingTo: TemporaryFile.url, configuration: configuration)
        try writer.append(entry)
        try writer.append(entry)
        let hasPage = input.choice(2, of: 2) == 1 && appendsPage(to: writer)
        try writer.append(entry)
        try writer.finish()
        check(reading, input, entry, hasPage)
    } catch {
        guard [.malformedJSON, .notAnArchive, .limitExceeded].contains(error.code) else { fail("\(error)") }
        let isList = reading.log?.fields["entries"].map { $0.array != nil } ?? true
        if reading.code == nil, isList { fail("A readable file cannot be appended to: \(error)") }
        expectEqual(TemporaryFile.bytes, input.document, "A file that cannot be appended to")
    }
}

/// Appends a page, and returns `false` if that is impossible because `pages` has another type.
private func appendsPage(to writer: HARWriter) -> Bool {
    do throws(HARError) {
        try writer.append(HAR.Page(fields: ["id": "new"]))
        return true
    } catch {
        if error.code != .notAnArchive { fail("\(error)") }
        return false
    }
}

private func check(_ reading: Reading, _ input: Input, _ entry: HAR.Entry, _ hasPage: Bool) {
    let bytes = TemporaryFile.bytes
    let after = Reading(bytes)
    guard after.code == nil else {
        // Appending does not change entries with invalid content.
        if reading.code == nil { fail("\(after.code?.description ?? "") after appending") }
        return
    }
    expectEqual(after.entries, reading.entries + [entry, entry, entry], "The entries")
    for (range, old) in zip(after.ranges, reading.ranges) {
        guard let range, let old else { fail("An entry without a byte range.") }
        expectEqual(bytes[range], input.document[old], "The text of an entry")
    }
    if hasPage, after.log?.fields["pages"]?.array?.last != ["id": "new"] { fail("The page is missing.") }
    if reading.code == nil, !hasPage, reading.log?.fields["entries"] != nil {
        expectEqual(after.log, reading.log, "The text around the entries")
    }
}
