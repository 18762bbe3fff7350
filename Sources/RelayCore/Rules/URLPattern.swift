import HTTPArchive

/// A URL pattern in which `*` matches one part, and `**` all remaining parts.
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

    /// Parses a pattern.
    ///
    /// - Parameter text: The pattern, split like every URL (``URLPatternParts``). A part that merely begins with `*` is
    ///   one wildcard, and parts after `**` are ignored.
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

    /// Whether a URL has exactly the parts of the pattern.
    ///
    /// - Parameter url: Any text.
    /// - Returns: `true` if all parts are equal, except for wildcards, and their number is the same.
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

    private static func folded(_ host: Substring.UTF8View) -> String { LiteralURL.normalized(host: Substring(host)) }
}

/// The parts of a URL that patterns compare: its host, the segments of its path, then each name and value of its query.
///
/// The scheme, user, fragment and empty parts are skipped. Percent-encoding is removed before splitting, so an encoded
/// slash is a separator as well. The query is split only if there is exactly one question mark; otherwise question
/// marks are ordinary characters.
struct URLPatternParts: Sequence, IteratorProtocol {
    /// A part and its kind.
    struct Part {
        /// Whether the part is the host with its port, which is case-insensitive.
        let isHost: Bool

        /// The text of the part.
        let text: Substring.UTF8View
    }

    private enum Component { case host, path, name, value }

    private var rest: Substring.UTF8View
    private var component = Component.host
    private let hasQuery: Bool

    /// Creates an iterator over the parts of a URL.
    ///
    /// - Parameter url: Any text.
    /// - Complexity: O(*n*) in the length of the text, which is copied only if it contains percent signs.
    init(_ url: String) {
        rest = LiteralURL(url).resource.utf8
        if rest.contains(UInt8(ascii: "%")) { rest = PercentEncoding.decoded(rest)[...].utf8 }
        hasQuery = rest.lazy.filter { $0 == UInt8(ascii: "?") }.prefix(2).count == 1
    }

    /// Returns the next part, or nil at the end of the URL.
    mutating func next() -> Part? {
        while !rest.isEmpty {
            let component = component
            let text = rest.prefix { !ends(component, at: $0) }
            rest = rest[text.endIndex...]
            if let end = rest.popFirst() { self.component = Self.component(after: end) }
            if !text.isEmpty { return Part(isHost: component == .host, text: text) }
        }
        return nil
    }

    private func ends(_ component: Component, at byte: UInt8) -> Bool {
        switch component {
        case .host, .path: byte == UInt8(ascii: "/") || (hasQuery && byte == UInt8(ascii: "?"))
        case .name: byte == UInt8(ascii: "=") || byte == UInt8(ascii: "&")
        case .value: byte == UInt8(ascii: "&")
        }
    }

    private static func component(after end: UInt8) -> Component {
        switch end {
        case UInt8(ascii: "/"): .path
        case UInt8(ascii: "="): .value
        default: .name
        }
    }
}
