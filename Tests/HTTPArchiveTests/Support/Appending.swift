import Foundation

@testable import HTTPArchive

extension HAR.Entry {
    /// An entry with a body of so many bytes, told apart by its URL.
    static func numbered(_ number: Int, size: Int = 20) -> HAR.Entry {
        let content = HAR.Content(
            size: size, mimeType: "text/plain", text: String(repeating: "\u{E9}\"]}\n\t", count: size / 6 + 1))
        return HAR.Entry(
            startedDateTime: "2009-04-16T12:07:23.596Z", request: .init(url: "http://example.com/\(number)"),
            response: .init(status: 200, content: content))
    }
}

/// The calls of the system with so many bytes to write, after which all fail: as on a full disk, or when the process ends.
final class ByteBudget {
    /// The number of bytes that are left.
    var left = Int.max

    /// Whether making a file shorter fails too.
    var isOver = false

    /// The number of bytes that were written.
    private(set) var written = 0

    var calls: FileCalls {
        let system = FileCalls()
        var calls = FileCalls()
        calls.write = { descriptor, bytes, place in
            guard self.left > 0 else {
                errno = ENOSPC
                return -1
            }
            let count = system.write(descriptor, bytes[from: 0, to: min(bytes.count, self.left)], place)
            self.left -= count
            self.written += count
            return count
        }
        calls.truncate = { descriptor, size in
            guard self.left > 0 || !self.isOver else {
                errno = EIO
                return -1
            }
            return system.truncate(descriptor, size)
        }
        return calls
    }
}

extension HARWriter {
    /// Appends with calls of one's own.
    convenience init(
        appendingTo url: URL, calls: FileCalls, flushing: Flushing = .eachEntry, layout: JSONLayout = .unchanged
    ) throws(HARError) {
        let archive = try AppendedArchive(at: url, layout: layout, flushing: flushing, calls: calls)
        self.init(appendingTo: archive, layout: layout)
    }
}

/// The URLs of the entries of an archive, which must be whole.
func urls(in file: URL) throws -> [String] { try HAR.Log(contentsOf: file).entries.map(\.request.url) }

/// The URLs of numbered entries.
func urls(_ numbers: Range<Int>) -> [String] { numbers.map { "http://example.com/\($0)" } }

/// The URLs of the entries that are read of an archive that may be broken.
func readable(in file: URL) -> [String] {
    guard let reader = try? HARReader(contentsOf: file) else { return [] }
    return reader.compactMap { try? $0.get().request.url }
}

/// The URLs of the entries by which an archive plays that may be broken.
func playable(in file: URL) throws -> [String] {
    let archive = try HARArchive(contentsOf: file)
    return try (0..<archive.count).map { try archive.entry(at: $0).request.url }
}
