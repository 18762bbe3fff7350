import Foundation
import HTTPArchive

/// The body files in a zip file, decompressed to one temporary file.
///
/// The names of the members are only compared with the names in the archive, and never used as paths.
struct ZIPMembers: MemberStore {
    private let file: InputFile
    private let ranges: [String: Range<Int>]

    /// Decompresses all files except archives.
    ///
    /// - Parameters:
    ///   - source: The zip file.
    ///   - archive: The name of the archive whose body files are read.
    /// - Throws: `unreadableFile` or `limitExceeded`; `unwritableFile` if the temporary folder is full.
    init(of source: CompressedSource, archive: String) throws(HARError) {
        let archivePath = Self.normalized(archive)
        let folder = archivePath.lastIndex(of: "/").map { String(archivePath[...$0]) } ?? ""
        let copy = try Spool.file(for: source.name)
        let reader = try ZIPFormat.open(source)
        var ranges: [String: Range<Int>] = [:]
        var offset = 0
        while let member = try reader.nextMember() {
            let path = Self.normalized(member.name)
            guard member.isRegularFile, path.hasPrefix(folder), member.name != archive else { continue }
            let count = try Spool.copy(to: copy, named: source.name) { buffer throws(HARError) in
                try reader.read(into: buffer)
            }
            ranges[String(path.dropFirst(folder.count))] = offset..<offset + count
            offset += count
        }
        file = try InputFile(copy, named: source.name)
        self.ranges = ranges
    }

    func content(of member: String, sizeLimit: Int) throws(HARError) -> Data? {
        guard let range = ranges[Self.normalized(member)] else { return nil }
        guard range.count <= sizeLimit else {
            throw HARError(
                .limitExceeded,
                """
                The body file '\(member)' is \(range.count) bytes long, but the limit is \(sizeLimit). Raise the limit \
                with HAR.BodyFolder's maximumFileSize, the interceptor's reader.maximumValueSize, or har's \
                --size-limit.
                """, at: .init(file: file.name))
        }
        return Data(try file.bytes(in: range))
    }

    /// Returns a path without `.` as a component.
    ///
    /// Some programs for Windows store paths with backslashes.
    private static func normalized(_ path: String) -> String {
        path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).filter { $0 != "." }.joined(separator: "/")
    }
}
