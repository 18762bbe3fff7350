import HTTPArchive

/// A URL in which `*` stands for one part, and `**` for all that follow.
struct URLPattern: Sendable {
    private enum Part {
        case host(String)
        case text([UInt8])
        case anyPart
        case anyParts
    }

    private let parts: [Part]

    /// The host that the pattern begins with, or nil if it begins with a wildcard or a path.
    let host: RequestHost?

    /// Cuts a pattern into its parts.
    ///
    /// - Parameter text: The pattern, cut as every URL is (``URLPatternParts``). A part that merely begins with `*` is one
    ///   wildcard, and what follows a part `**` does not count.
    init(_ text: String) {
        var parts: [Part] = []
        for part in URLPatternParts(text) {
            if part.text.elementsEqual("**".utf8) {
                parts.append(.anyParts)
                break
            }
            if part.text.first == UInt8(ascii: "*") {
                parts.append(.anyPart)
            } else {
                parts.append(part.isHost ? .host(Self.folded(part.text)) : .text(Array(part.text)))
            }
        }
        self.parts = parts
        host = if case .host(let host) = parts.first { RequestHost(of: host) } else { nil }
    }

    /// Whether a URL has the parts of the pattern, and no others.
    ///
    /// - Parameter url: Any text.
    /// - Returns: Whether they are equal and equally many, wildcards apart.
    /// - Complexity: O(*n*) in the length of the URL.
    func matches(_ url: String) -> Bool {
        var rest = URLPatternParts(url)
        for part in parts {
            guard let next = rest.next() else { return false }
            switch part {
            case .host(let host): if !next.isHost || Self.folded(next.text) != host { return false }
            case .text(let text): if next.isHost || !next.text.elementsEqual(text) { return false }
            case .anyPart: break
            case .anyParts: return true
            }
        }
        return rest.next() == nil
    }

    private static func folded(_ host: Substring.UTF8View) -> String { RawURLComponents.folded(host: Substring(host)) }
}

/// The parts of a URL that patterns compare: its host, the segments of its path, then each name and value of its query.
///
/// The scheme, the user and the fragment do not count, and neither do empty parts. Percent-encoding is removed before
/// the URL is cut, so an encoded slash separates as well. The query is cut only if there is exactly one question mark;
/// otherwise question marks are text.
struct URLPatternParts: Sequence, IteratorProtocol {
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
        let pieces = RawURLComponents(url)
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
