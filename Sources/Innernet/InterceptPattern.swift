import HTTPArchive
import RelayCore

/// A URL pattern in Innernet's syntax: `*` matches one part, and `**` matches all remaining parts.
struct InterceptPattern: Sendable {
    private enum Part {
        case host(String)
        case text([UInt8])
        case anyPart

        /// All remaining parts. The URL must have at least this number of them.
        case anyParts(Int)
    }

    private let parts: [Part]

    /// The host that the pattern begins with, or nil if it begins with a wildcard or a path.
    let host: RequestHost?

    /// Parses a pattern.
    ///
    /// - Parameter text: The pattern, which is split like a URL; see ``InterceptPatternParts``. A part that begins with
    ///   `*` is a wildcard for one part. Each part after `**` requires an additional part with any text.
    init(_ text: String) {
        var parts: [Part] = []
        var rest = InterceptPatternParts(text)
        while let part = rest.next() {
            if part.text.elementsEqual("**".utf8) {
                parts.append(.anyParts(rest.reduce(1) { count, _ in count + 1 }))
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

    /// Returns whether a URL matches the pattern.
    ///
    /// - Parameter url: Any string.
    /// - Returns: `true` if all parts other than wildcards are equal, and the URL and the pattern have the same number
    ///   of parts. If the pattern contains `**`, the URL can have more parts.
    /// - Complexity: O(*n*) in the length of the URL.
    func matches(_ url: String) -> Bool {
        var rest = InterceptPatternParts(url)
        for part in parts {
            if case .anyParts(let minimum) = part { return rest.prefix(minimum).count(where: { _ in true }) == minimum }
            guard let next = rest.next() else { return false }
            switch part {
            case .host(let host): if !next.isHost || Self.folded(next.text) != host { return false }
            case .text(let text): if next.isHost || !next.text.elementsEqual(text) { return false }
            case .anyPart, .anyParts: break
            }
        }
        return rest.next() == nil
    }

    /// Returns the pattern for the requests of a rule.
    static func requests(_ text: String) -> RequestPattern {
        let pattern = Self(text)
        return RequestPattern(MessageText.url(text), namesHost: { host, _ in host == pattern.host }) {
            pattern.matches($0.url)
        }
    }

    private static func folded(_ host: Substring.UTF8View) -> String { LiteralURL.normalized(host: Substring(host)) }
}

/// The parts of a URL that patterns compare: its host, its path segments, and the names and values of its query.
///
/// The scheme, user information, fragment and empty parts are skipped. The URL is percent-decoded before it is split,
/// so an encoded slash is also a separator. The query is split only if there is exactly one question mark. Otherwise,
/// question marks are ordinary characters.
struct InterceptPatternParts: Sequence, IteratorProtocol {
    /// The text of a part, and whether the part is the host with its port, which is case-insensitive.
    typealias Part = (isHost: Bool, text: Substring.UTF8View)

    private enum Component { case host, path, name, value }

    private var rest: Substring.UTF8View
    private var component = Component.host
    private let hasQuery: Bool

    /// Creates an iterator over the parts of a URL.
    ///
    /// - Parameter url: Any string.
    /// - Complexity: O(*n*) in the length of the string, which is copied only if it contains percent signs.
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
            if !text.isEmpty { return (component == .host, text) }
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
