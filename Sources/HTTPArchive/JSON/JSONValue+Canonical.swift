package import Foundation

extension JSONValue {
    /// The value written in one way only.
    ///
    /// Two values have the same text exactly when they are the same JSON value. The order of members, white space, escapes
    /// and the spelling of numbers do not count: `1`, `1.0` and `10e-1` are one number, and so are `0` and `-0`. Numbers
    /// of any size are compared digit by digit. Of a name that stands twice the last member counts.
    ///
    /// - Parameter ignored: Places of values that are left out; `*` stands for any name or index, as in `/items/*/id`.
    /// - Returns: The text, empty when all is left out.
    /// - Complexity: O(*n* log *n*) in the length of the value's text.
    package func canonicalText(ignoring ignored: [JSONPointer] = []) -> Data {
        // Only a value of more than 4 GiB has no place.
        guard let node = JSONNode(self) else { return data() }
        return Data(JSONCanonicalText.bytes(of: node, JSONExclusion(ignored)))
    }
}
