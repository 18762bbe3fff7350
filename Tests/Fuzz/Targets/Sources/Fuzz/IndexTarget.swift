import Foundation

@testable import HTTPArchive

/// Opens an archive with an index file changed by the input, and reads, selects and copies entries.
///
/// The first byte selects the archive. The second byte selects the integrity checks that stay valid. The other bytes
/// describe changes to a valid index (``IndexPatches``), or replace everything after its header. Either the index must
/// be ignored, or all of its ranges must be within the range of the entries. Reading an entry can fail, but copied
/// entries must be valid.
func checkIndex(_ input: Input) {
    let first = Int(input.bytes.first ?? 0)
    let archives = IndexedArchive.all
    let indexed = first < 240 ? archives[first % (archives.count - 1)] : archives[archives.count - 1]
    var patches = IndexPatches(input.bytes.dropFirst(2), flags: input.bytes.dropFirst().first ?? 0)
    let bytes = patches.patched(indexed)
    let file = TemporaryFile.folder.appendingPathComponent("index")
    writePrivately(bytes, to: file)

    guard let source = try? InputFile(url: indexed.url),
        let stored = ArchiveIndex(stored: file, of: source, configuration: .init())
    else {
        if bytes == indexed.index { fail("A valid index is ignored.") }
        return
    }
    check(stored, of: indexed, isValid: bytes == indexed.index)
    do throws(HARError) {
        let archive = try HARArchive(contentsOf: indexed.url, index: .use(in: .file(file)))
        checkSelecting(archive)
        checkCopying(archive, layout: patches.layout)
    } catch {
        fail("The archive cannot be opened: \(error)")
    }
}

/// Checks that the ranges are in order, within the range of the entries, and within the file.
private func check(_ stored: ArchiveIndex, of indexed: IndexedArchive, isValid: Bool) {
    guard 0 <= stored.entriesRange.lowerBound, stored.entriesRange.upperBound <= indexed.size else {
        fail("The range \(stored.entriesRange) in a file of \(indexed.size) bytes")
    }
    var end = stored.entriesRange.lowerBound
    for index in 0..<stored.table.count {
        let summary = stored.table[index]
        expectEqual(summary.byteRange, stored.table.byteRange(at: index), "The range of entry \(index)")
        guard end <= summary.byteRange.lowerBound, summary.byteRange.upperBound <= stored.entriesRange.upperBound else {
            fail("Entry \(index) is at \(summary.byteRange), after \(end) in \(stored.entriesRange).")
        }
        end = summary.byteRange.upperBound
        if isValid { expectEqual(summary, indexed.archive.summary(at: index), "The summary of entry \(index)") }
    }
    expectEqual(stored.log, indexed.archive.log, "The log")
    if isValid {
        expectEqual(stored.table.count, indexed.archive.count, "The number of entries")
        expectEqual(stored.entriesRange, indexed.archive.indexed.entriesRange, "The range of the entries")
    }
}

private func checkSelecting(_ archive: HARArchive) {
    let filters: [HAREntryFilter] = [
        .url("https://**"), .host("*.test"), .method("get"), .status(200...299), .mediaType("text/*"),
        .started(in: .distantPast..<(.distantFuture)), .bodySize(0...100), .failed.inverted,
    ]
    for filter in filters {
        guard let indices = try? archive.indices(selectedBy: filter) else { continue }
        if !indices.allSatisfy((0..<archive.count).contains) { fail("Entries that do not exist are selected.") }
    }
    let invalid = archive.firstInvalidIndex()
    if let invalid, (try? archive.entry(at: invalid)) != nil { fail("Entry \(invalid) is valid.") }
}

private func checkCopying(_ archive: HARArchive, layout: JSONLayout) {
    var configuration = HARWriter.Configuration()
    configuration.layout = layout
    var copied: [HAR.Entry] = []
    do throws(HARError) {
        let writer = try HARWriter(to: TemporaryFile.url, configuration: configuration)
        try writer.write(archive.log) { () throws(HARError) in
            for index in 0..<min(archive.count, 100) {
                let entry = Result { () throws(HARError) in try archive.entry(at: index) }
                let result = Result { () throws(HARError) in try writer.append(entryAt: index, of: archive) }
                if case .success(let entry) = entry { copied.append(entry) }
                if (try? entry.get()) == nil, (try? result.get()) != nil {
                    fail("Entry \(index) cannot be read, but it can be copied.")
                }
                if (try? entry.get()) != nil { try result.get() }
            }
        }
        try writer.finish()
        var merger = HARMerger()
        merger.add(archive)
        let other = TemporaryFile.folder.appendingPathComponent("merged.har")
        try? merger.write(to: HARWriter(to: other, configuration: configuration))
    } catch {
        fail("Copying: \(error)")
    }
    let reading = Reading(TemporaryFile.bytes)
    expectEqual(reading.code, nil, "The error of the copy")
    expectEqual(reading.entries, copied, "The copied entries")
}

private func writePrivately(_ bytes: [UInt8], to url: URL) {
    let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: url.path, contents: Data(bytes), attributes: permissions) else {
        fail("Cannot write \(url).")
    }
}

// MARK: Archives

/// An archive with a valid index.
private struct IndexedArchive: Sendable {
    let url: URL
    let size: Int
    let index: [UInt8]
    let archive: HARArchive

    /// Archives whose indexes have different parts.
    ///
    /// The last index has several parts with rows.
    static let all: [IndexedArchive] = [
        .init(varied),
        .init(#"{"log":{"entries":[{"a":1}, {"request":{"url":"]},{"}}],"pages":[],"x":[{"b":[2]},{}]}}"#),
        .init(entries((0..<40).map { entry("https://a.test/\($0)", status: "\(200 + $0)") })),
        .init(entries([large, entry("https://a.test/", status: "0"), large])),
        // Elements that are not objects require the parser.
        .init(entries(["1", entry("https://a.test/", status: "200"), "[{}]", "null", "{}"])),
        .init(#"{"log":{"entries":[]}}"#),
        .init(entries((0..<5000).map { #"{"request":{"url":"\#($0)"}}"# })),
    ]

    private static func entries(_ entries: [String]) -> String {
        "{\"log\":{\"version\":\"1.2\",\"entries\":[\n\(entries.joined(separator: ",\n"))\n],\"comment\":\"]}\"}}"
    }

    private static func entry(_ url: String, status: String, started: String = "2026-01-01T12:00:00Z") -> String {
        """
        {"startedDateTime":"\(started)","time":1.5,"pageref":"page_1","_resourceType":"document",\
        "request":{"method":"GET","url":"\(url)"},"response":{"status":\(status),\
        "content":{"size":3,"mimeType":"text/plain","text":"abc"}}}
        """
    }

    /// An entry whose status and time do not fit into a row.
    private static var large: String {
        entry("https://a.test/large", status: "99999999999", started: String(repeating: "2026", count: 100))
    }

    private static var varied: String {
        let pages = #""pages":[{"id":"page_1"},{"id":"page_2"}]"#
        let list = [
            entry("https://a.test/1", status: "200"),
            #"{"request":{"method":"POST","url":"http://b.test/é"},"response":{"status":0,"_error":"net::ERR_FAILED"}}"#,
            "{}",
        ]
        return "{\"log\":{\(pages),\"entries\":[\(list.joined(separator: " , "))]}}"
    }

    private init(_ text: String) {
        let folder = TemporaryFile.folder
        let file = folder.appendingPathComponent("\(UUID()).har")
        writePrivately(Array(text.utf8), to: file)
        let old = Date(timeIntervalSince1970: 1_600_000_000)
        do {
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
            let index = folder.appendingPathComponent("valid-index")
            archive = try HARArchive(contentsOf: file)
            _ = try archive.keepIndex(in: .file(index))
            self.index = [UInt8](try Data(contentsOf: index))
        } catch {
            fail("Indexing \(text): \(error)")
        }
        url = file
        size = text.utf8.count
    }
}

// MARK: Patches

/// The changes to an index that an input describes.
///
/// Each has a kind, a two-byte offset and a value.
private struct IndexPatches {
    private var rest: ArraySlice<UInt8>
    private let flags: UInt8

    init(_ bytes: ArraySlice<UInt8>, flags: UInt8) {
        rest = bytes
        self.flags = flags
    }

    /// The layout of the copy.
    var layout: JSONLayout { flags & 8 == 0 ? .unchanged : .compact }

    /// Boundary values for the checks.
    private static let numbers: [Int64] = [
        0, 1, -1, -2, 2, 31, 32, 33, 4095, 4096, 4097, 1 << 16, 1 << 31, 1 << 32, 1 << 62, .max, .max - 7, .min,
    ]

    /// Returns the changed index.
    ///
    /// By default, the header matches the archive and the hash is correct. Flags can change this.
    mutating func patched(_ indexed: IndexedArchive) -> [UInt8] {
        var bytes = indexed.index
        bytes.removeLast(8)
        if flags & 1 == 1 {
            bytes = Array(bytes.prefix(IndexHeader.size)) + rest
        } else {
            for _ in 0..<64 where !rest.isEmpty { patch(&bytes) }
        }
        // The format, the archive's time and size, and its fingerprint.
        if flags & 2 == 0, bytes.count >= IndexHeader.size {
            for range in [0..<32, 88..<96] { bytes.replaceSubrange(range, with: indexed.index[range]) }
        }
        var hash = ContentHash()
        bytes.withUnsafeBytes { hash.add($0) }
        let value = flags & 4 == 0 ? hash.value : hash.value ^ 1
        return bytes + withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private mutating func patch(_ bytes: inout [UInt8]) {
        guard let kind = rest.popFirst() else { return }
        let offset = (next() | next() << 8) % max(bytes.count, 1)
        let aligned = offset & ~7
        switch kind % 8 {
        case 0: set(Int64(truncatingIfNeeded: next()), at: offset, size: 1, in: &bytes)
        case 1: set(Self.numbers[next() % Self.numbers.count], at: aligned, size: 8, in: &bytes)
        case 2: add(Int64(Int8(truncatingIfNeeded: next())), at: aligned, in: &bytes)
        case 3: set(Self.numbers[next() % Self.numbers.count], at: offset & ~3, size: 4, in: &bytes)
        case 4: bytes.removeLast(min(offset & ~31, bytes.count))
        case 5: bytes.insert(contentsOf: [UInt8](repeating: UInt8(next()), count: 32), at: offset & ~31)
        case 6:
            let source = bytes[min(offset & ~31, bytes.count)...].prefix(32 * (1 + next() % 8))
            bytes.insert(contentsOf: Array(source), at: (next() * 32) % max(bytes.count, 1) & ~31)
        default: bytes.removeSubrange(offset & ~31..<min(offset & ~31 + 32 * (1 + next() % 4), bytes.count))
        }
    }

    private mutating func next() -> Int { Int(rest.popFirst() ?? 0) }

    private func add(_ value: Int64, at offset: Int, in bytes: inout [UInt8]) {
        guard offset + 8 <= bytes.count else { return }
        let old = bytes[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        set(Int64(bitPattern: old) &+ value, at: offset, size: 8, in: &bytes)
    }

    private func set(_ value: Int64, at offset: Int, size: Int, in bytes: inout [UInt8]) {
        guard offset + size <= bytes.count else { return }
        for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
}
