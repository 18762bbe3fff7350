package import Foundation

extension StringProtocol {
    /// Returns the text without leading and trailing characters of a set of whitespace.
    ///
    /// Unlike `trimmingCharacters(in:)`, this method does not convert text that begins and ends with visible ASCII
    /// characters to `NSString`, which takes long.
    ///
    /// - Parameter set: A set of whitespace characters.
    /// - Returns: The text.
    package func trimming(_ set: CharacterSet) -> String {
        guard let first = first?.asciiValue, let last = last?.asciiValue else { return trimmingCharacters(in: set) }
        return 0x21...0x7E ~= first && 0x21...0x7E ~= last ? String(self) : trimmingCharacters(in: set)
    }
}
