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
    static func strength(of name: String) -> Strength { name.withUTF8Bytes { strength(of: $0) } }

    /// Returns the likelihood that a value with this name is a secret.
    ///
    /// Results are cached, because names recur and each name is compared with many terms.
    static func strength(of name: UnsafeRawBufferPointer) -> Strength {
        let shortName = ShortName(name)
        if let strength = shortName?.strength { return strength }
        let cachedName = shortName == nil ? CachedName(name) : nil
        if let cachedName, let known = cache.withLock({ $0[cachedName.slot] }), known.name == cachedName {
            return known.strength
        }
        let strength = NameWords(name)?.strength ?? .none
        shortName?.strength = strength
        if let cachedName { cache.withLock { $0[cachedName.slot] = (cachedName, strength) } }
        return strength
    }

    /// Whether a member of a secret object is only a property of the secret, such as its type.
    static func isProperty(_ name: UnsafeRawBufferPointer) -> Bool { NameWords(name)?.isProperty ?? false }

    /// Whether a path segment with this name precedes a token, as in `/password-reset/5f3c…`.
    static func precedesToken(_ segment: UnsafeRawBufferPointer) -> Bool {
        NameWords(segment)?.contains(SecretWords.beforeTokens) ?? false
    }

    /// The strengths of recent names.
    ///
    /// A new name replaces an older one with the same hash.
    private static let cache = Mutex([(name: CachedName, strength: Strength)?](repeating: nil, count: 1 << 12))

    /// Returns the normalized form of a name for comparisons with the user's names, or nil for text longer than 256
    /// bytes.
    static func folded(_ name: String) -> [UInt8]? {
        guard name.utf8.count <= NameWords.longestName else { return nil }
        let letters = name.utf8.filter { !separators.contains($0) }
        if letters.allSatisfy({ $0 < 0x80 }) { return letters.map(\.lowercase) }
        return Array(String(decoding: letters, as: UTF8.self).lowercased().utf8)
    }

    private static let separators = ByteSet("-_.[]+$: ")
}

/// A name of at most 7 bytes, as most attributes in HTML have, in a single word.
private struct ShortName {
    /// The words of recent names with their strengths; 0 for an empty slot.
    ///
    /// A slot is a single atomic word, so that threads need no lock. A new name replaces an older one with the same
    /// hash.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Atomic<UInt64>> = {
        let slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1 << 13)
        for slot in 0..<1 << 13 { (slots + slot).initialize(to: Atomic(0)) }
        return slots
    }()

    private static let strengthShift: UInt64 = 56

    /// The bytes of the name, and its length in the highest byte; the two lowest bits of that byte are 0.
    private let word: UInt64

    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count <= 7 else { return nil }
        var word = UInt64(name.count) << 2
        for byte in name { word = word << 8 | UInt64(byte) }
        self.word = word << UInt64(8 * (7 - name.count))
    }

    private var slot: Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> 51) }

    /// The likelihood that a value with this name is a secret, or nil if it is not known.
    var strength: SecretNames.Strength? {
        get {
            let difference = Self.slots[slot].load(ordering: .relaxed) ^ word
            let strength = difference >> Self.strengthShift
            guard difference << 8 == 0, 1...3 ~= strength else { return nil }
            return SecretNames.Strength(rawValue: UInt8(strength) - 1)
        }
        nonmutating set {
            guard let newValue else { return }
            Self.slots[slot].store(word | UInt64(newValue.rawValue + 1) << Self.strengthShift, ordering: .relaxed)
        }
    }
}

/// A name of at most 32 bytes, stored inline without a memory allocation.
private struct CachedName: Equatable {
    var words = SIMD4<UInt64>()
    var count: UInt8

    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count <= 32 else { return nil }
        count = UInt8(name.count)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: name) }
    }

    var slot: Int {
        let mixed = (words[0] ^ words[2] &* 31 &+ words[1] &* 17 ^ words[3] &* 7) &+ UInt64(count)
        return Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 52)
    }
}
