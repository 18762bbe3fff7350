/// The role of a member in an object that represents a named value, such as `{"name":"password","value":"x"}`.
enum PairRole: UInt8 {
    case name = 1
    case value

    /// Creates the role that a member's name indicates; returns nil if the name does not indicate one.
    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count <= 11, let code = Self.code(name) else { return nil }
        let roles = Self.roles
        var slot = Self.slot(code)
        while roles[slot].code != code {
            if roles[slot].code == 0 { return nil }
            slot = (slot + 1) % roles.count
        }
        self = roles[slot].role
    }

    /// Creates the role that a member's name indicates; returns nil if the name does not indicate one.
    init?(_ name: String) {
        guard let role = name.withUTF8Bytes({ PairRole($0) }) else { return nil }
        self = role
    }

    /// Returns a number that encodes the first eight letters of a name in lowercase and whether more letters follow, or
    /// nil if the name contains other characters.
    private static func code(_ name: UnsafeRawBufferPointer) -> UInt64? {
        guard !name.isEmpty else { return nil }
        var code: UInt64 = 0
        for offset in 0..<min(name.count, 8) {
            let byte = name[offset].lowercase
            guard 0x61...0x7A ~= byte || byte == UInt8(ascii: "@") else { return nil }
            code = code << 8 | UInt64(byte)
        }
        // ASCII letters leave the highest bit unused.
        return code | (name.count > 8 ? 0x80 << 56 : 0)
    }

    private static func slot(_ code: UInt64) -> Int { Int((code &* 0x9E37_79B9_7F4A_7C15) >> 56) }

    /// The codes of the names that indicate a role, each in the first free slot from its hash; 0 in an empty slot.
    private static let roles: [(code: UInt64, role: PairRole)] = {
        var roles = [(code: UInt64, role: PairRole)](repeating: (0, .name), count: 256)
        for (names, role) in [(names, PairRole.name), (values, .value)] {
            for name in names.utf8.split(whereSeparator: \.isBlank) {
                guard let code = Array(name).withUnsafeBytes({ code($0) }) else { continue }
                var slot = slot(code)
                while roles[slot].code != 0 { slot = (slot + 1) % roles.count }
                roles[slot] = (code, role)
            }
        }
        return roles
    }()

    private static let names = """
        name key k n id field fieldname header param parameter property attribute label variable @name @key
        """

    private static let values = """
        value val v content text data default string stringvalue rawvalue values secretvalue @value fieldvalue
        """
}
