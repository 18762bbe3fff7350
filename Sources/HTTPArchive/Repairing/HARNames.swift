/// Names of fields by which archives and entries are recognized in damaged text.
struct HARNames: OptionSet {
    let rawValue: UInt16

    static let log = Self(rawValue: 1)
    static let entries = Self(rawValue: 1 << 1)
    static let version = Self(rawValue: 1 << 2)
    static let creator = Self(rawValue: 1 << 3)
    static let browser = Self(rawValue: 1 << 4)
    static let pages = Self(rawValue: 1 << 5)
    static let comment = Self(rawValue: 1 << 6)
    static let startedDateTime = Self(rawValue: 1 << 7)
    static let request = Self(rawValue: 1 << 8)
    static let response = Self(rawValue: 1 << 9)

    /// The fields of a log.
    static let logFields: Self = [.entries, .version, .creator, .browser, .pages, .comment]
}

extension HARNames {
    /// Creates the set of a name; the set is empty for any other text.
    ///
    /// - Parameter name: The name, with or without quotation marks.
    init(name: UnsafeRawBufferPointer) {
        var bytes = name[...]
        if let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            bytes = bytes.dropFirst().dropLast()
        }
        switch bytes.count {
        case 3...9, 15: self = Self.all.first { $0.name.elementsEqual(bytes) }?.set ?? []
        default: self = []
        }
    }

    private static let all: [(name: [UInt8], set: Self)] = [
        (Array("log".utf8), .log), (Array("entries".utf8), .entries), (Array("version".utf8), .version),
        (Array("creator".utf8), .creator), (Array("browser".utf8), .browser), (Array("pages".utf8), .pages),
        (Array("comment".utf8), .comment), (Array("startedDateTime".utf8), .startedDateTime),
        (Array("request".utf8), .request), (Array("response".utf8), .response),
    ]
}
