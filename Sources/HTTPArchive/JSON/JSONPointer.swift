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
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        components = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            String(part).replacing("~1", with: "/").replacing("~0", with: "~")
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
        components.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }
}
