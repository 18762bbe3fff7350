/// One header field of a request or a response, as it was sent.
public struct HeaderField: Hashable, Sendable {
    /// The name in its own spelling; names are compared without regard to case.
    public var name: String

    /// The value without the white space around it.
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
    /// The values of the fields of a name, in order.
    ///
    /// - Parameter name: A field name, in any case.
    /// - Returns: The values; empty when no field has the name.
    package func values(named name: String) -> [String] {
        let name = name.lowercased()
        // Names are of ASCII, which has as many bytes in either case.
        return filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
    }
}

extension Array<HeaderField> {
    /// Removes every field of the given names.
    ///
    /// - Parameter names: Field names in lower case.
    mutating func remove(named names: Set<String>) {
        removeAll { names.contains($0.name.lowercased()) }
    }
}
