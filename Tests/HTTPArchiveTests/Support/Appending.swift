import Foundation

@testable import HTTPArchive

extension HAR.Entry {
    /// An entry with a text of some bytes, told apart by its URL.
    static func numbered(_ number: Int, size: Int = 6) -> HAR.Entry {
        let text = String(repeating: "\u{E9}\"]}\n\t", count: size / 6)
        return HAR.Entry(fields: [
            "t": .string(.init(text)), "request": ["url": .string(.init("http://example.com/\(number)"))],
        ])
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

    /// How many had been when something was written.
    private var starts: [Int] = []

    /// The numbers of bytes near the ends of all that was written.
    var places: [Int] {
        Set((starts + [written]).flatMap { max(0, $0 - 60)...min(written, $0 + 60) }).sorted()
    }

    var calls: FileSystemCalls {
        let system = FileSystemCalls()
        var calls = FileSystemCalls()
        calls.write = { descriptor, bytes, place in
            guard self.left > 0 else {
                errno = ENOSPC
                return -1
            }
            self.starts.append(self.written)
            let count = system.write(descriptor, bytes[from: 0, to: min(bytes.count, self.left)], place)
            self.left -= count
            self.written += count
            return count
        }
        calls.synchronize = { _ in self.left > 0 ? 0 : -1 }
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
    /// Appends with calls of one's own, and a small gap before what stands behind the entries.
    convenience init(
        appendingTo url: URL, calls: FileSystemCalls, flushing: Flushing = .eachEntry, layout: JSONLayout = .unchanged
    ) throws(HARError) {
        let archive = try AppendedArchive(at: url, layout: layout, flushing: flushing, calls: calls, gapSize: 256)
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
