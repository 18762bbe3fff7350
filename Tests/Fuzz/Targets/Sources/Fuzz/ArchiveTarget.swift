import Foundation

@testable import HTTPArchive

/// Opens a document as a file for random access.
///
/// The entries and summaries must equal those that a reader returns.
///
/// If reading fails, opening the archive or reading the broken entry must also fail, or the archive must report that it
/// is truncated. Indexing the file in parts, whose sizes depend on the input, must produce the same structural index as
/// indexing the whole file. Decoding entries ahead must not change the events.
func checkArchive(_ input: Input) {
    let reading = Reading(input.document)
    TemporaryFile.write(input.document)
    do throws(HARError) {
        let archive = try HARArchive(contentsOf: TemporaryFile.url)
        if archive.damage != nil {
            expectEqual(reading.code, .malformedJSON, "The error of the truncation")
            expectEqual(archive.count, reading.entries.count, "The number of entries before the damage")
        } else if reading.code == nil {
            expectEqual(archive.log, reading.log, "The log")
            expectEqual(archive.count, reading.entries.count, "The number of entries")
        } else {
            let error = Result { () throws(HARError) in try archive.entry(at: reading.entries.count) }.failure
            expectEqual(error?.code, reading.code, "The error of the broken entry")
        }
        for index in (0..<reading.entries.count).reversed() {
            let entry = try archive.entry(at: index)
            expectEqual(entry, reading.entries[index], "Entry \(index)")
            expectEqual(entry.fields.byteRange, reading.ranges[index], "The byte range of entry \(index)")
            let summary = HAREntrySummary(of: entry, at: reading.ranges[index] ?? 0..<0)
            expectEqual(archive.summary(at: index), summary, "The summary of entry \(index)")
        }
    } catch {
        expectEqual(error.code, reading.code, "The archive's error")
    }
    checkParts(input)
    checkLookAhead(input, against: reading)
}

/// Indexes the structure of the file, as a whole and in parts.
private func checkParts(_ input: Input) {
    let division = ParallelEntryScan.Division(
        threadCount: 2, minimumPartSize: 20 + 8 * input.choice(0, of: 256), chunkSize: 64 << input.choice(1, of: 4),
        partsPerThread: 50)
    do throws(HARError) {
        let file = try InputFile(url: TemporaryFile.url)
        let whole = try ArchiveIndex.byStructure(of: file, configuration: .init(), division: .init(threadCount: 1))
        let divided = try ArchiveIndex.byStructure(of: file, configuration: .init(), division: division)
        expectEqual(divided?.log, whole?.log, "The log, indexed in parts")
        expectEqual(divided?.table.count, whole?.table.count, "The number of entries, indexed in parts")
        for index in 0..<(whole?.table.count ?? 0) {
            expectEqual(divided?.table[index], whole?.table[index], "The summary of entry \(index), indexed in parts")
        }
    } catch {
        fail("Indexing: \(error)")
    }
}

/// Reads the file with entries decoded ahead in parts.
private func checkLookAhead(_ input: Input, against reading: Reading) {
    var settings = ReadAhead.Settings()
    settings.threadCount = 2
    settings.partSize = 1 + 16 * input.choice(0, of: 256)
    settings.minimumFileSize = 0
    do throws(HARError) {
        let file = try InputFile(url: TemporaryFile.url)
        let ahead = Reading(HARReader(file: file, configuration: .init(), readAhead: settings))
        if ahead != reading { fail("Reading ahead: found\n\(ahead)\nexpected\n\(reading)") }
    } catch {
        fail("Reading ahead: \(error)")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
