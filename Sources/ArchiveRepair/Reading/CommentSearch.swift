import HTTPArchive

/// Finds the ends of comments.
///
/// Text without an end is searched only once, even if many comments begin in it.
final class CommentSearch {
    /// A kind of comment.
    enum Kind: Int, CaseIterable {
        case line, block, markup

        fileprivate var terminator: [UInt8] {
            switch self {
            case .line: Array("\n".utf8)
            case .block: Array("*/".utf8)
            case .markup: Array("-->".utf8)
            }
        }
    }

    /// The end of a comment.
    enum End {
        /// The offset after a complete comment or, for a comment that a line feed ends, the offset of that line feed.
        case found(Int)

        /// The text ends before the comment.
        case unknown

        /// The comment is larger than ``maximumSize``.
        case tooLong
    }

    /// The maximum size of a comment, in bytes.
    static let maximumSize = 1 << 16

    /// The offset of the searched text in the file.
    var base = 0

    /// For each kind, a range of the file that does not contain its end.
    private var searched = Kind.allCases.map { _ in 0..<0 }

    /// Returns the end of a comment.
    ///
    /// - Parameters:
    ///   - kind: The kind of comment.
    ///   - start: The offset of the comment in the text.
    ///   - text: The text.
    /// - Returns: The end.
    func end(of kind: Kind, at start: Int, in text: UnsafeRawBufferPointer) -> End {
        let terminator = kind.terminator
        let first = base + start + (kind == .line ? 1 : 2)
        let known = searched[kind.rawValue]
        var position = known.contains(first) ? known.upperBound : first
        var end = End.unknown
        while position - base + terminator.count <= text.count {
            let offset = position - base
            if text[offset] == terminator[0], text[offset..<offset + terminator.count].elementsEqual(terminator) {
                end = .found(kind == .line ? offset : offset + terminator.count)
                break
            }
            if position - first > Self.maximumSize {
                end = .tooLong
                break
            }
            position += 1
        }
        searched[kind.rawValue] = (known.contains(first) ? known.lowerBound : first)..<max(first, position)
        return end
    }
}
