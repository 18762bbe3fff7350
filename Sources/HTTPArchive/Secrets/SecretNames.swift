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
        ShortName(name)?.traits(of: name).strength ?? strength(ofLong: name)
    }

    /// Returns the likelihood that a value with this name is a secret, and the role of the name, both found at once.
    static func traits(of name: UnsafeRawBufferPointer) -> (strength: Strength, role: PairRole?) {
        ShortName(name)?.traits(of: name) ?? (strength(ofLong: name), PairRole(name))
    }

    private static func strength(ofLong name: UnsafeRawBufferPointer) -> Strength {
        guard let cachedName = CachedName(name) else { return NameWords(name)?.strength ?? .none }
        let hash = cachedName.hash
        if let strength = cache.withLock({ $0.value(of: cachedName, hash: hash) }) { return strength }
        let strength = NameWords(name)?.strength ?? .none
        cache.withLock { $0.insert(strength, for: cachedName, hash: hash) }
        return strength
    }

    /// Whether a member of a secret object is only a property of the secret, such as its type.
    static func isProperty(_ name: UnsafeRawBufferPointer) -> Bool { NameWords(name)?.isProperty ?? false }

    /// Whether a path segment with this name precedes a token, as in `/password-reset/5f3c…`.
    static func precedesToken(_ segment: UnsafeRawBufferPointer) -> Bool {
        NameWords(segment)?.contains(SecretWords.beforeTokens) ?? false
    }

    /// The strengths of recent names.
    private static let cache = Mutex(RecentTable<CachedName, Strength>(rowBits: 11))

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
    /// The words of recent names with their traits; 0 for an empty slot.
    ///
    /// A slot is a single atomic word, so that threads need no lock. Each hash has two slots, as in ``RecentTable``.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Atomic<UInt64>> = {
        let slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1 << 13)
        for slot in 0..<1 << 13 { (slots + slot).initialize(to: Atomic(0)) }
        return slots
    }()

    /// The bytes of the name, and its length in bits 58 to 60.
    ///
    /// In a slot, the two bits below contain the strength and are never 0, and the two bits above contain the role.
    private let word: UInt64

    @inline(__always)
    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count <= 7 else { return nil }
        var word = UInt64(name.count) << 2
        for offset in 0..<name.count { word = word << 8 | UInt64(name[offset]) }
        self.word = word &<< UInt64(8 * (7 - name.count))
    }

    /// Returns the traits of the name, which are computed if they are not known.
    @inline(__always)
    func traits(of name: UnsafeRawBufferPointer) -> (strength: SecretNames.Strength, role: PairRole?) {
        let row = Self.slots + Int((word &* 0x9E37_79B9_7F4A_7C15) >> 52) * 2
        return traits(in: row[0].load(ordering: .relaxed)) ?? traits(in: row[1].load(ordering: .relaxed))
            ?? newTraits(of: name, in: row)
    }

    @inline(never)
    private func newTraits(
        of name: UnsafeRawBufferPointer, in row: UnsafeMutablePointer<Atomic<UInt64>>
    ) -> (strength: SecretNames.Strength, role: PairRole?) {
        let (strength, role) = (NameWords(name)?.strength ?? .none, PairRole(name))
        let traits = UInt64(strength.rawValue + 1) | UInt64(role?.rawValue ?? 0) << 5
        row[1].store(row[0].load(ordering: .relaxed), ordering: .relaxed)
        row[0].store(word | traits << 56, ordering: .relaxed)
        return (strength, role)
    }

    /// Returns the traits in a slot, or nil if the slot contains another name.
    @inline(__always)
    private func traits(in slot: UInt64) -> (strength: SecretNames.Strength, role: PairRole?)? {
        let traits = UInt8(truncatingIfNeeded: (slot ^ word) >> 56)
        guard (slot ^ word) << 8 == 0, traits & 0b1_1100 == 0, traits & 0b11 != 0,
            let strength = SecretNames.Strength(rawValue: traits & 0b11 - 1)
        else { return nil }
        return (strength, PairRole(rawValue: traits >> 5))
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

    var hash: UInt64 {
        let mixed = (words[0] ^ words[2] &* 31 &+ words[1] &* 17 ^ words[3] &* 7) &+ UInt64(count)
        return mixed &* 0x9E37_79B9_7F4A_7C15
    }
}
