import Foundation
import HTTPArchive

func reverseWanted(of url: URL, to latestFirst: URL) throws {
    let filter = HAREntryFilter.all(of: [.host("*.example.com"), .status(200...299), .failed.inverted])

    let archive = try HARArchive(contentsOf: url)
    let wanted = try archive.indices(selectedBy: filter)
    let writer = try HARWriter(to: latestFirst)
    try writer.write(archive.log) { () throws(HARError) in
        for index in wanted.reversed() { try writer.append(entryAt: index, of: archive) }
    }
    try writer.finish()
}

func merge(_ urls: [URL], to merged: URL) throws {
    var merger = HARMerger()
    for url in urls { merger.add(try HARArchive(contentsOf: url)) }
    let writer = try HARWriter(to: merged)
    try merger.write(to: writer)
    try writer.finish()
}
