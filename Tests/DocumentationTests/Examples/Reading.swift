import Foundation
import HTTPArchive

func readEntries(of url: URL) throws {
    let reader = try HARReader(contentsOf: url)
    while let entry = try reader.nextEntry() {
        print(entry.request.method, entry.request.url, entry.response.status)
    }
    print(reader.log.creator?.name ?? "unknown")
}

func readEntries(from chunks: AsyncStream<Data>) async throws {
    let reader = HARAsyncReader(chunks)
    for try await entry in reader {
        print(entry.request.url)
    }
}

func lastEntry(of url: URL) throws -> HAR.Entry {
    let archive = try HARArchive(contentsOf: url, index: .keep())
    let last = try archive.entry(at: archive.count - 1)
    return last
}

func copyWithoutCookies(_ reader: HARReader, to copy: URL) throws {
    let writer = try HARWriter(to: copy)
    while let event = try reader.nextEvent() {
        guard case .entry(var entry) = event else {
            try writer.write(event)
            continue
        }
        entry.response.headers.removeAll { $0.name.lowercased() == "set-cookie" }
        try writer.write(.entry(entry))
    }
    try writer.finish()
}

func add(_ entry: HAR.Entry, to url: URL) throws {
    let writer = try HARWriter(appendingTo: url)
    try writer.append(entry)
}

func printBody(of entry: HAR.Entry) {
    switch entry.response.body {
    case .data(let data): print("\(data.count) bytes")
    case .file(let name): print("in the separate file \(name)")
    case .notCaptured: print("not in the archive")
    }
}
