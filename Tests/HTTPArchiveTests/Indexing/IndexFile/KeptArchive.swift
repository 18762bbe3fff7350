import Foundation
import Testing

@testable import HTTPArchive

/// An archive in its own folder, with a file for its index.
///
/// Both are removed when the object is deallocated.
final class KeptArchive {
    let folder: TemporaryFolder
    let url: URL
    let index: URL

    /// Writes the archive with an old modification time.
    init(_ bytes: some Sequence<UInt8>) throws {
        folder = try TemporaryFolder()
        url = folder.file("a.har")
        index = folder.file("a.harindex")
        try write(bytes)
    }

    convenience init(_ text: String) throws { try self.init(text.utf8) }

    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    /// Replaces the archive and sets its modification time.
    func write(_ bytes: some Sequence<UInt8>, at date: Date = KeptArchive.date) throws {
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }

    /// Opens the archive without a saved index.
    func opened(_ configuration: HARReader.Configuration = .init()) throws -> HARArchive {
        try HARArchive(contentsOf: url, configuration: configuration)
    }

    /// Returns the saved index, or `nil` if it cannot be used.
    func kept(_ configuration: HARReader.Configuration = .init()) throws -> ArchiveIndex? {
        ArchiveIndex(stored: index, of: try InputFile(url: url), configuration: configuration)
    }

    /// Saves the index and returns its bytes.
    @discardableResult
    func keep(_ configuration: HARReader.Configuration = .init()) throws -> [UInt8] {
        try opened(configuration).writeIndex(to: .file(index))
        return [UInt8](try Data(contentsOf: index))
    }

    /// Replaces the bytes of the index.
    func write(index bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: index) }
}

extension ArchiveIndex {
    /// Returns whether all properties are equal.
    static func == (first: ArchiveIndex, second: ArchiveIndex) -> Bool {
        first.log == second.log && first.entriesRange == second.entriesRange && first.table.count == second.table.count
            && (0..<first.table.count).allSatisfy { first.table[$0] == second.table[$0] }
            && (0..<first.table.count).allSatisfy { first.table.byteRange(at: $0) == second.table.byteRange(at: $0) }
    }
}

/// Changes an index and corrects its hash.
enum ForgedIndex {
    /// Returns the bytes with the correct hash at the end.
    static func withValidHash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let content = [UInt8](bytes.dropLast(8))
        var hash = ContentHash()
        content.withUnsafeBytes { hash.add($0) }
        return content + withUnsafeBytes(of: hash.value.littleEndian) { [UInt8]($0) }
    }

    /// Returns the bytes with a number written at an offset and with the correct hash.
    static func setting(_ number: some FixedWidthInteger, at place: Int, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let new = withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
        bytes.replaceSubrange(place..<place + new.count, with: new)
        return withValidHash(bytes)
    }
}
