import HTTPArchive

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
    static let timings = Self(rawValue: 1 << 10)

    /// A field of an entry whose value is an array or an object, other than ``request``, ``response`` and ``timings``.
    static let container = Self(rawValue: 1 << 11)

    /// The fields of a log.
    static let logFields: Self = [.entries, .version, .creator, .browser, .pages, .comment]

    /// The fields whose values contain only objects that HAR defines, and never entries.
    static let containers: Self = [.request, .response, .timings, .container]

    /// The fields by which an entry is recognized.
    static let entryFields: Self = [.startedDateTime, .request, .response]

    /// Whether an object with these fields is an entry.
    var isEntry: Bool { contains(.request) && !isDisjoint(with: [.response, .startedDateTime]) }
}

extension HARNames {
    /// Creates the set of a name; the set is empty for any other text.
    ///
    /// - Parameter name: The name, with or without quotation marks.
    init(name: UnsafeRawBufferPointer) {
        var bytes = name[...]
        if let quote = LenientString.quote(in: name, at: 0) {
            bytes = bytes.dropFirst(quote.size).dropLast(LenientString.closingQuoteSize(of: name))
        }
        switch bytes.count {
        case 3...15: self = Self.all.first { $0.name.elementsEqual(bytes) }?.set ?? []
        default: self = []
        }
    }

    private static let all: [(name: [UInt8], set: Self)] = [
        ("log", log), ("entries", entries), ("version", version), ("creator", creator), ("browser", browser),
        ("pages", pages), ("comment", comment), ("startedDateTime", startedDateTime), ("request", request),
        ("response", response), ("timings", timings), ("headers", container), ("cookies", container),
        ("queryString", container), ("postData", container), ("params", container), ("content", container),
        ("cache", container), ("beforeRequest", container), ("afterRequest", container),
    ].map { (Array($0.utf8), $1) }
}
