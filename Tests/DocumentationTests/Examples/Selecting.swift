import Foundation
import HTTPArchive

func reverseWanted(of url: URL, to latestFirst: URL) throws {
    let filter = HAREntryFilter.all(of: [.host("*.example.com"), .status(200...299), .failed.inverted])

    var wanted: [Int] = []
    let archive = try HARArchive(contentsOf: url) { entry, index in
        if filter.selects(entry, at: index) { wanted.append(index) }
    }
    let writer = try HARWriter(to: latestFirst)
    try writer.write(archive.log) { () throws(HARError) in
        guard let index = wanted.popLast() else { return nil }
        return try archive.entry(at: index)
    }
    try writer.finish()
}

func merge(_ urls: [URL], to merged: URL) throws {
    var merger = HARMerger()
    for url in urls { try merger.add(contentsOf: url) }
    let writer = try HARWriter(to: merged)
    try merger.write(to: writer)
    try writer.finish()
}
