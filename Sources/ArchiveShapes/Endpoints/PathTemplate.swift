import HTTPArchive

/// Paths in which `{id}` stands for identifiers, so that requests for different objects are one endpoint.
package enum PathTemplate {
    /// Returns a path with `{id}` in place of numbers, UUIDs, digests and similar segments.
    ///
    /// - Parameter path: The path of a URL.
    /// - Returns: The template, such as `/items/{id}`.
    /// - Complexity: O(*n*) in the length of the path.
    package static func template(_ path: Substring) -> String {
        guard path.utf8.contains(where: { 0x30...0x39 ~= $0 }) else { return path.isEmpty ? "/" : String(path) }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { isVariable($0) ? "{id}" : String($0) }.joined(separator: "/")
    }

    /// Whether a segment is a number, or a long text with many digits and no other characters than identifiers have.
    package static func isVariable(_ segment: Substring) -> Bool {
        var (digits, letters) = (0, 0)
        for byte in segment.utf8 {
            switch byte {
            case 0x30...0x39: digits += 1
            case 0x41...0x5A, 0x61...0x7A: letters += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"): break
            default: return false
            }
        }
        if digits == 0 { return false }
        return letters == 0 || (digits + letters >= 16 && digits * 6 >= letters)
    }
}
