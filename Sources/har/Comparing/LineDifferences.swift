import Foundation
import HTTPArchive

/// The lines in which two texts differ.
struct LineDifferences {
    /// A line that differs.
    struct Line {
        /// The number of the line, from 1: in the first text, or in the second text if the line was added.
        let number: Int

        /// The range of the line in the first text, in bytes, or nil if it was added.
        let first: Range<Int>?

        /// The range of the line in the second text, in bytes, or nil if it was removed.
        let second: Range<Int>?
    }

    /// The lines, in order, up to the limit.
    private(set) var lines: [Line] = []

    /// The number of other lines that differ.
    private(set) var omittedCount = 0

    /// Compares two texts, ignoring the kind of line breaks.
    ///
    /// - Parameters:
    ///   - first: The first text, in UTF-8.
    ///   - second: The second text, in UTF-8.
    ///   - limit: The maximum number of lines; others are only counted.
    /// - Complexity: O(*n* log *n*) in the number of lines, plus the time for aligning a limited number of lines.
    init(_ first: Data, _ second: Data, limit: Int) {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                let texts = (Self.lines(of: first), Self.lines(of: second))
                for step in Alignment(texts.0, texts.1).steps() {
                    guard lines.count < limit else {
                        omittedCount += 1
                        continue
                    }
                    lines.append(
                        Line(
                            number: (step.first ?? step.second ?? 0) + 1,
                            first: step.first.map { texts.0[$0].range(in: first) },
                            second: step.second.map { texts.1[$0].range(in: second) }))
                }
            }
        }
    }

    /// A line that is compared by its bytes.
    private struct Key: Hashable {
        let bytes: UnsafeRawBufferPointer

        func range(in text: UnsafeRawBufferPointer) -> Range<Int> {
            guard let start = text.baseAddress, let address = bytes.baseAddress else { return 0..<0 }
            return address - start..<address - start + bytes.count
        }

        static func == (first: Self, second: Self) -> Bool { first.bytes.isEqual(to: second.bytes) }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
    }

    /// Returns the lines of a text without their line breaks, which are valid as long as the text.
    private static func lines(of text: UnsafeRawBufferPointer) -> [Key] {
        var lines: [Key] = []
        var offset = 0
        while true {
            let end = text[from: offset].firstOffset(of: 0x0A).map { offset + $0 } ?? text.count
            let hasReturn = end > offset && text[end - 1] == UInt8(ascii: "\r")
            lines.append(Key(bytes: .init(rebasing: text[offset..<(hasReturn ? end - 1 : end)])))
            guard end < text.count else { return lines }
            offset = end + 1
        }
    }
}
