/// Bytes that are compared in a time that does not depend on the position of the first difference.
package struct SecretBytes: Equatable {
    private let bytes: [UInt8]

    /// Creates the UTF-8 bytes of a text.
    package init(_ text: String) { bytes = Array(text.utf8) }

    package static func == (first: Self, second: Self) -> Bool {
        guard first.bytes.count == second.bytes.count else { return false }
        return zip(first.bytes, second.bytes).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}
