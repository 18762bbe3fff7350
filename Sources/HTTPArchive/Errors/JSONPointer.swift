/// A place in a JSON document (RFC 6901, https://www.rfc-editor.org/rfc/rfc6901).
///
/// `/log/entries/0/request` is the request of an archive's first entry; the empty pointer is the whole document.
public struct JSONPointer: Hashable, Sendable {
    /// The names and array indices on the way, unescaped.
    public var components: [String]

    /// Creates a pointer from the names and indices on the way.
    ///
    /// - Parameter components: Member names and array indices, unescaped; none by default, which is the whole document.
    public init(_ components: [String] = []) {
        self.components = components
    }

    /// Parses the text of a pointer.
    ///
    /// `nil` when the text is not empty and has no slash in front.
    ///
    /// - Parameter text: Empty, or starting with `/`; `~1` stands for a slash and `~0` for a tilde.
    public init?(text: String) {
        // Scalar by scalar: as characters, a slash and an accent that follows are one, which is no slash.
        let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        guard text.isEmpty || parts[0].isEmpty else { return nil }
        components = parts.dropFirst().map { part in
            var part = Array(part)
            part.replace(["~", "1"], with: ["/"])
            part.replace(["~", "0"], with: ["~"])
            var component = String.UnicodeScalarView()
            component.append(contentsOf: part)
            return String(component)
        }
    }

    /// The place one step further down.
    ///
    /// - Parameter component: A member's name or an array index.
    /// - Returns: The longer pointer.
    public func appending(_ component: String) -> JSONPointer {
        JSONPointer(components + [component])
    }

    /// The place one step further down.
    ///
    /// - Parameter index: An array index, counted from 0.
    /// - Returns: The longer pointer.
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as RFC 6901 writes it.
    public var description: String {
        var text = String.UnicodeScalarView()
        for component in components {
            text.append("/")
            for scalar in component.unicodeScalars {
                switch scalar {
                case "~": text.append(contentsOf: "~0".unicodeScalars)
                case "/": text.append(contentsOf: "~1".unicodeScalars)
                default: text.append(scalar)
                }
            }
        }
        return String(text)
    }
}
