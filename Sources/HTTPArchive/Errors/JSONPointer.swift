/// A location in a JSON document (RFC 6901, https://www.rfc-editor.org/rfc/rfc6901).
///
/// `/log/entries/0/request` refers to the request of an archive's first entry. The empty pointer refers to the whole
/// document.
public struct JSONPointer: Hashable, Sendable {
    /// The unescaped member names and array indices from the root to the value.
    public var components: [String]

    /// Creates a pointer from member names and array indices.
    ///
    /// - Parameter components: The unescaped member names and array indices; empty by default, for the whole document.
    public init(_ components: [String] = []) {
        self.components = components
    }

    /// Creates a pointer from its text.
    ///
    /// Returns `nil` if the text is not empty and does not begin with a slash.
    ///
    /// - Parameter text: The pointer, in which `~1` represents a slash and `~0` a tilde.
    public init?(text: String) {
        // Split at Unicode scalars, because a slash followed by a combining accent is one `Character` that does not
        // equal a slash.
        let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        guard text.isEmpty || parts[0].isEmpty else { return nil }
        components = parts.dropFirst().map { part in
            var part = Array(part)
            part.replace(["~", "1"], with: ["/"])
            part.replace(["~", "0"], with: ["~"])
            return String(String.UnicodeScalarView(part))
        }
    }

    /// Returns a pointer to a member or element of the value at this pointer.
    ///
    /// - Parameter component: A member name or an array index.
    /// - Returns: The pointer with the component appended.
    public func appending(_ component: String) -> JSONPointer {
        JSONPointer(components + [component])
    }

    /// Returns a pointer to an element of the array at this pointer.
    ///
    /// - Parameter index: An array index, counted from 0.
    /// - Returns: The pointer with the index appended.
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }
}

extension JSONPointer: ExpressibleByStringLiteral {
    /// Creates a pointer from a literal such as `"/items/0/price"`.
    ///
    /// - Parameter literal: The pointer. Text that does not begin with a slash is used as the name of a member.
    public init(stringLiteral literal: String) {
        self = JSONPointer(text: literal) ?? JSONPointer([literal])
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer in the syntax of RFC 6901.
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
