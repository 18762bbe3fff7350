import Foundation

@testable import HTTPArchive

extension HAR.Entry {
    /// Returns an entry with a unique URL and a string of about `size` characters.
    static func numbered(_ number: Int, size: Int = 6) -> HAR.Entry {
        let text = String(repeating: "\u{E9}\"]}\n\t", count: size / 6)
        return HAR.Entry(fields: [
            "t": .string(.init(text)), "request": ["url": .string(.init("http://example.com/\(number)"))],
        ])
    }
}

/// System calls that fail after a given number of bytes, as on a full disk or when the process exits.
final class ByteBudget: @unchecked Sendable {
    /// The number of bytes that can still be written.
    var left = Int.max

    /// Whether truncating a file also fails when no bytes remain.
    var isOver = false

    /// The number of bytes written so far.
    private(set) var written = 0

    /// The value of `written` at the start of each write.
    private var starts: [Int] = []

    /// The byte counts that are within 60 bytes of the start or the end of a write.
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
    /// Creates a writer with custom system calls and a small gap before the text that follows the entries.
    convenience init(
        appendingTo url: URL, calls: FileSystemCalls, flushing: Flushing = .eachEntry, layout: JSONLayout = .unchanged
    ) throws(HARError) {
        let archive = FileSystemCalls.$current.withValue(calls) {
            Result { () throws(HARError) in
                try AppendedArchive(at: url, layout: layout, flushing: flushing, gapSize: 256)
            }
        }
        self.init(appendingTo: try archive.get(), in: url.deletingLastPathComponent(), layout: layout)
    }
}

/// Returns the URLs of the entries of a valid archive.
func urls(in file: URL) throws -> [String] { try HAR.Log(contentsOf: file).entries.map(\.request.url) }

/// Returns the URLs of the entries with the given numbers.
func urls(_ numbers: Range<Int>) -> [String] { numbers.map { "http://example.com/\($0)" } }

/// Returns the URLs of the entries that a reader finds in an archive that may be broken.
func readable(in file: URL) -> [String] {
    guard let reader = try? HARReader(contentsOf: file) else { return [] }
    return reader.compactMap { try? $0.get().request.url }
}

/// Returns the URLs of the entries in an archive that may be broken, opened for random access.
func playable(in file: URL) throws -> [String] {
    let archive = try HARArchive(contentsOf: file)
    return try (0..<archive.count).map { try archive.entry(at: $0).request.url }
}
