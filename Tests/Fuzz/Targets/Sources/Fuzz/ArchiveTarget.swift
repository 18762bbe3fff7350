import Foundation

@testable import HTTPArchive

/// Opens a document as a file for random access: it must have the entries that reading it gives, or fail as that does.
func checkArchive(_ input: Input) {
    let reading = Reading(input.document)
    TemporaryFile.write(input.document)
    do throws(HARError) {
        let archive = try HARArchive(contentsOf: TemporaryFile.url)
        expectEqual(nil, reading.code, "The archive opens, reading fails")
        expectEqual(archive.log, reading.log, "The log")
        expectEqual(archive.count, reading.entries.count, "The number of entries")
        for index in (0..<archive.count).reversed() {
            let entry = try archive.entry(at: index)
            expectEqual(entry, reading.entries[index], "Entry \(index)")
            expectEqual(entry.fields.byteRange, reading.ranges[index], "The place of entry \(index)")
        }
    } catch {
        expectEqual(error.code, reading.code, "The archive's error")
    }
}
