import Foundation
import Testing

@testable import HTTPArchive

/// An archive in a folder of its own, with a place for its index; both are gone with the value.
final class KeptArchive {
    let folder: TemporaryFolder
    let url: URL
    let index: URL

    /// Writes the archive as if that were long ago.
    init(_ bytes: some Sequence<UInt8>) throws {
        folder = try TemporaryFolder()
        url = folder.file("a.har")
        index = folder.file("a.harindex")
        try write(bytes)
    }

    convenience init(_ text: String) throws { try self.init(text.utf8) }

    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    /// Replaces the archive, and sets its time.
    func write(_ bytes: some Sequence<UInt8>, at date: Date = KeptArchive.date) throws {
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }

    /// The archive without a kept index.
    func opened(_ configuration: HARReader.Configuration = .init()) throws -> HARArchive {
        try HARArchive(contentsOf: url, configuration: configuration)
    }

    /// What the kept index gives; `nil` when it cannot be used.
    func kept(_ configuration: HARReader.Configuration = .init()) throws -> ArchiveIndex? {
        ArchiveIndex(stored: index, of: try InputFile(url: url), configuration: configuration)
    }

    /// Keeps the index, and gives its bytes.
    @discardableResult
    func keep(_ configuration: HARReader.Configuration = .init()) throws -> [UInt8] {
        try opened(configuration).writeIndex(to: .file(index))
        return [UInt8](try Data(contentsOf: index))
    }

    /// Replaces the bytes of the index.
    func write(index bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: index) }
}

extension ArchiveIndex {
    /// Whether everything that can be asked for is the same.
    static func == (first: ArchiveIndex, second: ArchiveIndex) -> Bool {
        first.log == second.log && first.entriesRange == second.entriesRange && first.table.count == second.table.count
            && (0..<first.table.count).allSatisfy { first.table[$0] == second.table[$0] }
            && (0..<first.table.count).allSatisfy { first.table.byteRange(at: $0) == second.table.byteRange(at: $0) }
    }
}

/// Changes to the bytes of an index behind which its hash is right.
enum Mending {
    /// The bytes with the hash that they should have at the end.
    static func mended(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let content = [UInt8](bytes.dropLast(8))
        var hash = ContentHash()
        content.withUnsafeBytes { hash.add($0) }
        return content + withUnsafeBytes(of: hash.value.littleEndian) { [UInt8]($0) }
    }

    /// The bytes with a number at a place, and the right hash.
    static func setting(_ number: some FixedWidthInteger, at place: Int, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let new = withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
        bytes.replaceSubrange(place..<place + new.count, with: new)
        return mended(bytes)
    }
}
