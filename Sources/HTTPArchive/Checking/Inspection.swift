/// The checking of one value: its text, where it stands, and what was found in it.
///
/// Rules name the place of a finding by its node; where that is in the document and in the file is told here.
struct Inspection {
    /// The largest number of findings in one value: a value with more is no archive's, and each is looked for from its
    /// start.
    static let limit = 1000

    /// The value.
    let root: JSONNode

    /// The place of the value in the document.
    private let pointer: JSONPointer

    /// Whether the value is a part of the file, so that its nodes know their places.
    private let isPlaced: Bool

    /// The place of the value in the file, where that is known otherwise.
    private let offset: Int?

    /// Whether the log says that it is of HAR 1.1.
    let isOld: Bool

    /// What was found so far.
    private(set) var findings: [HARFinding] = []

    /// Begins to check a value.
    ///
    /// - Returns: `nil` for a value that no file can hold.
    init?(_ value: JSONValue, at pointer: JSONPointer, offset: Int? = nil, isOld: Bool = false) {
        guard let root = JSONNode(value) else { return nil }
        self.root = root
        self.pointer = pointer
        self.offset = offset
        self.isOld = isOld
        isPlaced = value.object?.node != nil
    }

    /// Adds a finding at a value or key inside the value.
    mutating func report(
        _ severity: HARFinding.Severity, _ rule: HARFinding.Rule, at node: JSONNode, _ message: String
    ) {
        guard findings.count < Self.limit else { return }
        findings.append(
            HARFinding(
                severity: severity, rule: rule,
                pointer: JSONPointer(pointer.components + root.path(to: node.index)),
                byteOffset: isPlaced ? node.documentRange.lowerBound : node.index == root.index ? offset : nil,
                message: message))
    }
}

extension JSONToken.Kind {
    /// The kind with its article, as in "`status` is a string".
    var title: String {
        switch self {
        case .null: "null"
        case .true, .false: "a boolean"
        case .number: "a number"
        case .string, .key: "a string"
        case .object: "an object"
        case .array, .close: "an array"
        }
    }
}

extension JSONNode {
    /// Whether this is a string without characters, told without decoding it.
    var isEmptyString: Bool { kind == .string && range.count == 2 }
}

extension String {
    /// The name in the marks of code, cut where it is too long for a message.
    var quoted: String { count > 40 ? "`\(prefix(40))…`" : "`\(self)`" }
}

/// The rules for single values.
extension Inspection {
    /// Checks that a date is ISO 8601 with an offset.
    mutating func checkDate(_ value: JSONNode, of field: HARField) {
        let text = value.string.text
        guard HAR.date(text) == nil else { return }
        if text.isEmpty, field.absence == nil {
            report(.note, .invalidDate, at: value, "`\(field.name)` is empty; HAR 1.2 leaves such a field out.")
        } else if HAR.date(text + "Z") != nil {
            report(
                .warning, .dateWithoutOffset, at: value,
                "`\(field.name)` has no offset from UTC, so the moment is unknown; HAR 1.2 wants one.")
        } else {
            report(
                .warning, .invalidDate, at: value,
                "`\(field.name)` is no date; HAR 1.2 wants ISO 8601, such as 2009-07-24T19:20:30.45+01:00.")
        }
    }

    /// Checks that a version of HTTP is one that exists, in one of the ways in which tools write it.
    mutating func checkHTTPVersion(_ value: JSONNode) {
        let text = value.string.text
        if text.isEmpty {
            report(.note, .unknownHTTPVersion, at: value, "`httpVersion` is empty; HAR 1.2 wants it, as in HTTP/1.1.")
        } else if !Self.isHTTPVersion(text.lowercased()) {
            report(.note, .unknownHTTPVersion, at: value, "`httpVersion` is \(text.quoted), no version of HTTP.")
        }
    }

    private static func isHTTPVersion(_ text: String) -> Bool {
        let version = text.hasPrefix("http/") ? text.dropFirst(5) : text[...]
        return ["0.9", "1.0", "1.1", "2", "2.0", "3", "3.0", "h2", "h2c", "h3"].contains(version)
            || ["h3-", "quic/", "2+quic/", "spdy/"].contains { version.hasPrefix($0) }
    }

    /// Checks that a status is one of HTTP; 0 and -1 say that there was no response.
    mutating func checkStatus(_ value: JSONNode) {
        guard let status = value.int, (100...599).contains(status) || (-1...0).contains(status) else {
            report(
                .warning, .invalidStatus, at: value,
                "`status` is \(value.number.text.quoted); the status codes of HTTP are 100 to 599.")
            return
        }
    }

    /// Checks that a size is a number of bytes, or -1.
    mutating func checkSize(_ value: JSONNode, of field: HARField) {
        if let size = value.int, size >= -1 { return }
        report(
            .warning, .invalidSize, at: value,
            "`\(field.name)` is \(value.number.text.quoted); HAR 1.2 wants a number of bytes, -1 where it is unknown.")
    }

    /// Checks that a time is not negative, but for -1 where that says that the time does not apply.
    mutating func checkTime(_ value: JSONNode, of field: HARField) {
        guard let time = value.number.double, time < 0 else { return }
        let text = value.number.text.quoted
        if case .time = field.value {
            report(.warning, .unknownTime, at: value, "`\(field.name)` is \(text); HAR 1.2 wants no negative time.")
        } else if time != -1 {
            report(
                .warning, .unknownTime, at: value,
                "`\(field.name)` is \(text); HAR 1.2 wants no negative time but -1, for one that does not apply.")
        }
    }
}

/// The rules for every string, in custom fields too.
extension Inspection {
    /// Looks for strings that are no text.
    mutating func checkStrings() {
        for index in root.index..<root.next {
            let node = JSONNode(source: root.source, index: index)
            guard node.kind == .string || node.kind == .key, node.isLossy else { continue }
            if node.isUTF8 {
                report(
                    .warning, .loneSurrogate, at: node,
                    "The string has the escape of half a surrogate pair, which is no text; it is kept as written.")
            } else {
                report(
                    .warning, .invalidUTF8, at: node,
                    "The string has bytes that are not UTF-8, the only encoding of HAR 1.2; they are kept as written.")
            }
        }
    }
}
