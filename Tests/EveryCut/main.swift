import Dispatch
import Foundation
import HTTPArchive
import Synchronization

// Truncates each archive argument at every byte, and reads the truncated archive. Reading must return all complete
// entries and then fail.

/// Returns the offsets at which the entries of an archive end.
func ends(of archive: Data) throws -> [Int] {
    try HARReader(data: archive).map { try $0.get().fields.byteRange?.upperBound ?? 0 }
}

/// Returns whether reading a truncated archive returns a number of entries and then fails.
func isReadRight(_ start: Data, entries count: Int) -> Bool {
    let reader = HARReader(data: start)
    var read = 0
    do {
        while try reader.nextEntry() != nil { read += 1 }
        return false
    } catch {
        return read == count
    }
}

var failures = 0
for path in CommandLine.arguments.dropFirst() {
    let archive = try Data(contentsOf: URL(fileURLWithPath: path))
    let ends = try ends(of: archive)
    let last = archive.lastIndex(of: UInt8(ascii: "}")) ?? 0
    let wrong = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: last + 1) { cut in
        if !isReadRight(archive[..<cut], entries: ends.count { $0 <= cut }) { wrong.withLock { $0.append(cut) } }
    }
    let cuts = wrong.withLock { $0.sorted() }
    failures += cuts.count
    print("\(path): \(last + 1) cuts, \(cuts.count) wrong\(cuts.isEmpty ? "" : ": \(cuts.prefix(10))")")
}
exit(failures == 0 ? 0 : 1)
