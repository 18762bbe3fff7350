import HTTPArchive

/// The parts of a URL that patterns compare: its host, the segments of its path, then each name and value of its query.
///
/// The scheme, the user and the fragment do not count, and neither do empty parts. Percent-encoding is removed before
/// the URL is cut, so an encoded slash separates as well. The query is cut only if there is exactly one question mark;
/// otherwise question marks are text.
struct URLParts: Sequence, IteratorProtocol {
    /// A part and what it is.
    struct Part {
        /// Whether the part is the host with its port, which is compared without regard to case.
        let isHost: Bool

        /// The text of the part.
        let text: Substring.UTF8View
    }

    private enum Place { case host, path, name, value }

    private var rest: Substring.UTF8View
    private var place = Place.host
    private let hasQuery: Bool

    /// Begins to cut a URL.
    ///
    /// - Parameter url: Any text.
    /// - Complexity: O(*n*) in the length of the text; without percent signs it is not copied.
    init(_ url: String) {
        let pieces = URLPieces(url)
        rest = url[pieces.authority.startIndex..<pieces.fragment.startIndex].utf8
        if rest.contains(UInt8(ascii: "%")) { rest = PercentEncoding.decoded(rest)[...].utf8 }
        hasQuery = rest.lazy.filter { $0 == UInt8(ascii: "?") }.prefix(2).count == 1
    }

    /// The next part; `nil` at the end of the URL.
    mutating func next() -> Part? {
        while !rest.isEmpty {
            let place = place
            let text = rest.prefix { !ends(place, at: $0) }
            rest = rest[text.endIndex...]
            if let end = rest.popFirst() { self.place = Self.place(after: end) }
            if !text.isEmpty { return Part(isHost: place == .host, text: text) }
        }
        return nil
    }

    private func ends(_ place: Place, at byte: UInt8) -> Bool {
        switch place {
        case .host, .path: byte == UInt8(ascii: "/") || (hasQuery && byte == UInt8(ascii: "?"))
        case .name: byte == UInt8(ascii: "=") || byte == UInt8(ascii: "&")
        case .value: byte == UInt8(ascii: "&")
        }
    }

    private static func place(after end: UInt8) -> Place {
        switch end {
        case UInt8(ascii: "/"): .path
        case UInt8(ascii: "="): .value
        default: .name
        }
    }
}
