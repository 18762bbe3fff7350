/// The long strings of an entry in which the previous pass has found no secrets.
///
/// The next pass can find secrets in these strings only if they contain secrets that were found elsewhere. A search for
/// those, in a string and in the text that is encoded in it, is many times faster than another complete search.
struct SettledStrings {
    /// The minimum size of a string, in bytes; other strings are always searched completely.
    private static let least = 4096

    /// The maximum size of the text that is encoded in a string, in bytes.
    private static let mostDecoded = 1 << 22

    /// The text that is encoded in each string in which the previous pass has found no secrets, by location.
    private let previous: [JSONPointer: [UInt8]]

    /// The same for this pass; nil for a string that the next pass must search.
    private var found: [JSONPointer: [UInt8]?] = [:]

    /// The current string, if it is long enough.
    private var current: UnsafeRawBufferPointer?

    /// The text that is encoded in the current string, or nil if there is too much.
    private var currentDecoded: [UInt8]? = []

    /// Creates the strings for a pass.
    ///
    /// - Parameter pass: The previous pass; nil by default, for the first pass.
    init(after pass: SettledStrings? = nil) { previous = pass?.found.compactMapValues { $0 } ?? [:] }

    /// Whether the string at a location has no secrets, because the previous pass has not found any.
    ///
    /// - Parameters:
    ///   - text: The string.
    ///   - pointer: The location.
    ///   - repeated: The secrets that were found elsewhere.
    /// - Returns: `false` if the string must be searched completely.
    mutating func isSettled(
        _ text: UnsafeRawBufferPointer, at pointer: JSONPointer, without repeated: RepeatedSecrets
    ) -> Bool {
        // Binary data is searched only for secrets that are not ASCII.
        guard text.count >= Self.least, let decoded = previous[pointer], repeated.isASCII,
            !Self.mayOccur(repeated, in: text), !decoded.withUnsafeBytes({ Self.mayOccur(repeated, in: $0) })
        else { return false }
        found[pointer] = decoded
        return true
    }

    /// Begins the search of a string.
    mutating func begin(_ text: UnsafeRawBufferPointer) {
        current = text.count < Self.least ? nil : text
        currentDecoded = []
    }

    /// Adds text that was found in the current string.
    mutating func add(_ text: UnsafeRawBufferPointer) {
        guard let current, let count = currentDecoded?.count, let start = text.baseAddress else { return }
        // Text that is not encoded is a part of the string.
        if let first = current.baseAddress, first <= start, start + text.count <= first + current.count { return }
        if count + text.count <= Self.mostDecoded {
            // The separator prevents secrets from being found across the bounds of two texts.
            currentDecoded?.append(0)
            currentDecoded?.append(contentsOf: text)
        } else {
            currentDecoded = nil
        }
    }

    /// Ends the search of the current string.
    ///
    /// - Parameters:
    ///   - pointer: The location of the string.
    ///   - isUnchanged: Whether the string has no secrets.
    mutating func end(at pointer: JSONPointer, isUnchanged: Bool) {
        guard current != nil else { return }
        current = nil
        // An object can have several members with the same name, and thus several strings with the same location.
        let isFirst = found[pointer] == nil
        found.updateValue(isFirst && isUnchanged ? currentDecoded : nil, forKey: pointer)
    }

    /// Whether secrets may occur in text or, percent-encoded, in a part of it.
    private static func mayOccur(_ secrets: RepeatedSecrets, in text: UnsafeRawBufferPointer) -> Bool {
        if secrets.occur(in: text) { return true }
        guard text.firstOffset(of: UInt8(ascii: "%")) != nil else { return false }
        guard text.count < Redaction.largestDecoded else { return true }
        return DecodedText(percentEncoded: text, isForm: false).bytes.withUnsafeBytes { secrets.occur(in: $0) }
    }
}
