/// A value parsed by a second, strict JSON parser that preserves all details for comparisons.
///
/// Numbers remain text, members keep their order, and strings are arrays of UTF-16 code units, so that lone surrogates
/// can be compared. In text that is not valid UTF-8, each byte above 0x7F becomes a unit above the range of Unicode.
struct ReferenceJSON: Equatable {
    enum Value: Equatable {
        case literal(String)
        case number(String)
        case string([UInt32])
        case array([ReferenceJSON])
        case object([Member])
    }

    struct Member: Equatable {
        var name: [UInt32]
        var value: ReferenceJSON
    }

    /// The byte range of the value.
    let range: Range<Int>
    let value: Value

    /// Returns whether two values are equal, regardless of their byte ranges.
    static func == (first: ReferenceJSON, second: ReferenceJSON) -> Bool { first.value == second.value }
}

extension ReferenceJSON {
    struct Failure: Error {
        let offset: Int
    }

    init(parsing bytes: some Sequence<UInt8>) throws(Failure) {
        var parser = ReferenceParser(bytes: [UInt8](bytes))
        self = try parser.document()
    }

    init(parsing text: String) throws(Failure) {
        try self.init(parsing: text.utf8)
    }

    /// The members of an object, or an empty array for other values.
    var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The elements of an array, or an empty array for other values.
    var elements: [ReferenceJSON] {
        if case .array(let elements) = value { elements } else { [] }
    }

    var isObject: Bool {
        if case .object = value { true } else { false }
    }

    /// The value of the first member with a name.
    subscript(name: String) -> ReferenceJSON? {
        members(named: name).first
    }

    /// The entries of an archive: the objects in the first nonempty `entries` array of the first `log` object.
    var entries: [ReferenceJSON] {
        let log = members(named: "log").first { $0.isObject }
        let arrays = log?.members(named: "entries").map(\.elements) ?? []
        return arrays.first { !$0.isEmpty }?.filter(\.isObject) ?? []
    }

    private func members(named name: String) -> [ReferenceJSON] {
        members.filter { $0.name == name.utf16.map(UInt32.init) }.map(\.value)
    }
}

/// The recursive descent parser for ``ReferenceJSON``.
private struct ReferenceParser {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    typealias Failure = ReferenceJSON.Failure

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func document() throws(Failure) -> ReferenceJSON {
        let value = try value()
        skipSpace()
        guard next == nil else { throw Failure(offset: place) }
        return value
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    mutating func take(_ text: StaticString) throws(Failure) {
        let matches = text.withUTF8Buffer { bytes[place...].starts(with: $0) }
        guard matches else { throw Failure(offset: place) }
        place += text.utf8CodeUnitCount
    }

    mutating func value() throws(Failure) -> ReferenceJSON {
        skipSpace()
        let start = place
        let value: ReferenceJSON.Value
        switch next {
        case UInt8(ascii: "{"): value = .object(try members())
        case UInt8(ascii: "["): value = .array(try elements())
        case UInt8(ascii: "\""): value = .string(try string())
        case UInt8(ascii: "t"):
            try take("true")
            value = .literal("true")
        case UInt8(ascii: "f"):
            try take("false")
            value = .literal("false")
        case UInt8(ascii: "n"):
            try take("null")
            value = .literal("null")
        default: value = .number(try number())
        }
        return ReferenceJSON(range: start..<place, value: value)
    }

    mutating func members() throws(Failure) -> [ReferenceJSON.Member] {
        var members: [ReferenceJSON.Member] = []
        place += 1
        skipSpace()
        while next != UInt8(ascii: "}") {
            if !members.isEmpty { try take(",") }
            skipSpace()
            let name = try string()
            skipSpace()
            try take(":")
            members.append(.init(name: name, value: try value()))
            skipSpace()
        }
        place += 1
        return members
    }

    mutating func elements() throws(Failure) -> [ReferenceJSON] {
        var elements: [ReferenceJSON] = []
        place += 1
        skipSpace()
        while next != UInt8(ascii: "]") {
            if !elements.isEmpty { try take(",") }
            elements.append(try value())
            skipSpace()
        }
        place += 1
        return elements
    }

    mutating func number() throws(Failure) -> String {
        let start = place
        if next == UInt8(ascii: "-") { place += 1 }
        if next == UInt8(ascii: "0") { place += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            place += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { place += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    mutating func digits() throws(Failure) {
        let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { throw Failure(offset: place) }
        place += digits.count
    }

    mutating func string() throws(Failure) -> [UInt32] {
        try take("\"")
        var units: [UInt32] = []
        var start = place
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Failure(offset: place) }
            if byte == UInt8(ascii: "\\") {
                Self.decode(bytes[start..<place], into: &units)
                units.append(try escape())
                start = place
            } else {
                place += 1
            }
        }
        Self.decode(bytes[start..<place], into: &units)
        try take("\"")
        return units
    }

    mutating func escape() throws(Failure) -> UInt32 {
        guard place + 1 < bytes.count else { throw Failure(offset: place) }
        let letter = bytes[place + 1]
        place += 2
        switch letter {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[place...].prefix(4), as: UTF8.self)
            guard digits.utf8.count == 4, let unit = UInt32(digits, radix: 16) else { throw Failure(offset: place) }
            place += 4
            return unit
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(letter)
        default: throw Failure(offset: place)
        }
    }

    /// Appends valid UTF-8 as UTF-16 code units, and any other text as one unit per byte.
    static func decode(_ bytes: ArraySlice<UInt8>, into units: inout [UInt32]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            units += text.utf16.map(UInt32.init)
        } else {
            units += bytes.map { $0 < 0x80 ? UInt32($0) : 0x11_0000 + UInt32($0) }
        }
    }
}
