/// A header field of a request or response, as sent.
public struct HeaderField: Hashable, Sendable {
    /// The name as spelled by the sender; names are compared case-insensitively.
    public var name: String

    /// The value without surrounding white space.
    public var value: String

    /// Creates a header field.
    ///
    /// - Parameters:
    ///   - name: The name, such as `Content-Type`.
    ///   - value: The value, such as `text/html`.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension Sequence<HeaderField> {
    /// Returns the values of all fields with a name, in order.
    ///
    /// - Parameter name: A field name, in any case.
    /// - Returns: The values; empty if no field has the name.
    package func values(named name: String) -> [String] {
        let name = name.lowercased()
        // Field names are ASCII, so both cases have the same number of bytes.
        return filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
    }
}

extension Array<HeaderField> {
    /// Removes all fields with the given names.
    ///
    /// - Parameter names: Field names in lowercase.
    mutating func remove(named names: Set<String>) {
        removeAll { names.contains($0.name.lowercased()) }
    }
}
