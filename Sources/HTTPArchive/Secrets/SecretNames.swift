import Synchronization

/// The names of header fields, query items, form fields and JSON members whose values are secrets.
///
/// Names are split into words at separators, capital letters and digits. A compound of known words, such as
/// `accesstoken`, is also split. A name indicates a secret if it contains a term from ``SecretWords``, unless another
/// word indicates that the value is only a property of a secret or a statement about one.
///
/// For example, `refreshToken` and `user[password]` indicate secrets, but `secretary`, `token_type` and `has_pin` do
/// not. Neither does `passwordResetUrl`, because the URL itself is searched for secrets.
package enum SecretNames {
    /// The likelihood that a value with a certain name is a secret.
    enum Strength: UInt8 {
        /// The name does not indicate a secret.
        case none

        /// The value is a secret if it looks random.
        ///
        /// For example, `code` may contain an OAuth code or a currency code.
        case likely

        /// The value is a secret.
        case certain
    }

    /// Whether values with this name must be masked in messages.
    ///
    /// - Parameter name: The name, without percent-encoding.
    /// - Returns: Whether the name belongs to a secret. Text longer than 256 bytes is not considered a name.
    package static func isSecret(_ name: String) -> Bool { strength(of: name) != .none }

    /// Returns the likelihood that a value with this name is a secret.
    static func strength(of name: String) -> Strength {
        var name = name
        return name.withUTF8 { strength(of: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the likelihood that a value with this name is a secret.
    ///
    /// Results are cached, because names recur and each name is compared with many terms.
    static func strength(of name: UnsafeRawBufferPointer) -> Strength {
        guard let key = CachedName(name) else { return NameWords(name)?.strength ?? .none }
        if let strength = cache.withLock({ $0.strength(of: key) }) { return strength }
        let strength = NameWords(name)?.strength ?? .none
        cache.withLock { $0.insert(key, strength) }
        return strength
    }

    /// Whether a member of a secret object is only a property of the secret, such as its type.
    static func isProperty(_ name: UnsafeRawBufferPointer) -> Bool { NameWords(name)?.isProperty ?? false }

    private static let cache = Mutex(NameCache())

    /// Returns the normalized form of a name for comparisons with the user's names, or nil for text longer than 256
    /// bytes.
    static func folded(_ name: String) -> [UInt8]? {
        guard name.utf8.count <= NameWords.longestName else { return nil }
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            let letters = String(String.UnicodeScalarView(name.unicodeScalars.filter { !separators.contains($0) }))
            return Array(letters.lowercased().utf8)
        }
        var folded: [UInt8] = []
        folded.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
            default: if !separators.contains(Unicode.Scalar(byte)) { folded.append(byte) }
            }
        }
        return folded
    }

    private static let separators = Set("-_.[]+$: ".unicodeScalars)
}

/// A name of at most 32 bytes, stored inline without a memory allocation.
private struct CachedName: Equatable {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var count: UInt8

    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count <= 32 else { return nil }
        count = UInt8(name.count)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: name) }
    }

    static func == (first: CachedName, second: CachedName) -> Bool {
        first.words == second.words && first.count == second.count
    }

    var slot: Int {
        let mixed = (words.0 ^ words.2 &* 31 &+ words.1 &* 17 ^ words.3 &* 7) &+ UInt64(count)
        return Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 52)
    }
}

/// The strengths of recent names.
///
/// A new name replaces an older one with the same hash.
private struct NameCache {
    private var slots: [(name: CachedName, strength: SecretNames.Strength)?] = Array(repeating: nil, count: 1 << 12)

    func strength(of name: CachedName) -> SecretNames.Strength? {
        guard let slot = slots[name.slot], slot.name == name else { return nil }
        return slot.strength
    }

    mutating func insert(_ name: CachedName, _ strength: SecretNames.Strength) { slots[name.slot] = (name, strength) }
}
