@testable import ArchiveChecking
@testable import ArchiveRepair
import Foundation

@testable import HTTPArchive

/// Repairs a document.
///
/// If the repair fails, the file must be unchanged. Otherwise, the file must have no errors and need no further repair,
/// and a repair that changes nothing must have reported the same repairs.
func checkRepairing(_ input: Input) {
    TemporaryFile.write(input.document)
    do throws(HARError) {
        var planned: [RepairNote] = []
        let plan = try HARRepair(
            of: TemporaryFile.url, to: .none, brokenEntries: .dropped, report: { planned.append($0) })
        expectEqual(TemporaryFile.bytes, input.document, "The file before the repair")
        var notes: [RepairNote] = []
        let repair = try HARRepair(of: TemporaryFile.url, brokenEntries: .dropped, report: { notes.append($0) })
        expectEqual(repair.entryCount, plan.entryCount, "The number of entries")
        if repair.brokenEntryCount == plan.brokenEntryCount, repair.removedByteCount == nil {
            expectEqual(notes, planned, "The repairs")
        }
        try HARChecker.check(contentsOf: TemporaryFile.url) { finding in
            if finding.severity == .error { fail("\(finding)") }
        }
        let again = try HARRepair(of: TemporaryFile.url)
        expectEqual(again.brokenEntryCount, nil, "The second repair")
        expectEqual(again.entryCount, repair.entryCount, "The number of entries after the second repair")
    } catch {
        if [.malformedJSON, .notAnArchive, .limitExceeded].contains(error.code) {
            expectEqual(TemporaryFile.bytes, input.document, "The file after an error: \(error)")
        } else {
            fail("\(error)")
        }
    }
}
