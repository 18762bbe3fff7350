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
    /// - Parameter text: The pattern, cut as every URL is (``URLParts``). A part that merely begins with `*` is one
    ///   wildcard, and what follows a part `**` does not count.
    init(_ text: String) {
        var parts: [Part] = []
        for part in URLParts(text) {
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
        var rest = URLParts(url)
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

    private static func folded(_ host: Substring.UTF8View) -> String { URLPieces.folded(host: Substring(host)) }
}
