import Foundation
import HTTPArchive

/// Checks a value and collects findings.
///
/// Rules report findings at a node. This type determines the location of the node in the document and in the file.
struct Inspection {
    /// The maximum number of findings per value.
    ///
    /// The number is limited because determining each location requires a search from the start of the value.
    static let limit = 1000

    /// The value.
    let root: JSONNode

    /// The location of the value in the document.
    private let pointer: JSONPointer

    /// Whether the value was parsed from the file, in which case its nodes have offsets.
    private let hasOffsets: Bool

    /// The offset of the value in the file, or nil if it is unknown.
    private let offset: Int?

    /// Whether the version of the log is 1.1.
    let isOld: Bool

    /// Whether the headers of the current request or response contain pseudo-headers.
    var hasPseudoHeaders = false

    /// The date in `startedDateTime` of a checked entry, or nil if it is missing or invalid.
    var startedDate: Date?

    /// The findings so far.
    private(set) var findings: [HARFinding] = []

    /// Creates an inspection of a value.
    ///
    /// - Returns: The inspection, or nil if the JSON text of the value would be larger than 4 GiB.
    init?(_ value: JSONValue, at pointer: JSONPointer, offset: Int? = nil, isOld: Bool = false) {
        guard let root = JSONNode(value) else { return nil }
        self.root = root
        self.pointer = pointer
        self.offset = offset
        self.isOld = isOld
        hasOffsets = value.object?.node != nil
    }

    /// Checks a value, and all strings in it.
    ///
    /// - Returns: The findings.
    static func findings(
        in value: JSONValue, at pointer: JSONPointer, offset: Int?, isOld: Bool, _ check: (inout Inspection) -> Void
    ) -> [HARFinding] {
        guard var inspection = Inspection(value, at: pointer, offset: offset, isOld: isOld) else { return [] }
        check(&inspection)
        inspection.checkStrings()
        return inspection.findings
    }

    /// Adds a finding at a value or a key within the checked value.
    mutating func report(
        _ severity: HARFinding.Severity, _ rule: HARFinding.Rule, at node: JSONNode, _ message: String
    ) {
        guard findings.count < Self.limit else { return }
        findings.append(
            HARFinding(
                severity: severity, rule: rule,
                pointer: JSONPointer(pointer.components + root.path(to: node.index)),
                byteOffset: hasOffsets ? node.documentRange.lowerBound : node.index == root.index ? offset : nil,
                message: message))
    }
}

/// The names of an object that are not in the specification.
struct NameSet {
    /// The number of names up to which comparing names takes less time than hashing them.
    private static let listSize = 8

    private var list: [String] = []

    /// All names, if there are more than ``listSize``.
    private var set: Set<String> = []

    /// Adds a name, and returns whether it is new.
    mutating func insert(_ name: String) -> Bool {
        if !set.isEmpty { return set.insert(name).inserted }
        guard !list.contains(name) else { return false }
        list.append(name)
        if list.count > Self.listSize { set = Set(list) }
        return true
    }
}

extension JSONNode {
    /// Whether the node is an empty string, determined without decoding it.
    var isEmptyString: Bool { kind == .string && range.count == 2 }
}

extension String {
    /// The text in backquotes, with secrets redacted, truncated to 40 characters.
    var quoted: String {
        let text = MessageRedactor.standard.text(self)
        return text.count > 40 ? "`\(text.prefix(40))…`" : "`\(text)`"
    }
}

/// The rules for individual values.
extension Inspection {
    /// Checks that a date is in ISO 8601 format and has an offset from UTC.
    ///
    /// - Returns: The date, or nil if it is invalid.
    mutating func checkDate(_ value: JSONNode, of field: HARField) -> Date? {
        let text = value.text ?? ""
        if let date = HAR.date(text) { return date }
        if text.isEmpty, field.absence == nil {
            report(.note, .invalidDate, at: value, "`\(field.name)` is empty. Omit the field instead.")
        } else if HAR.date(text + "Z") != nil {
            report(
                .warning, .dateWithoutOffset, at: value,
                "`\(field.name)` has no offset from UTC, so the time is ambiguous. HAR 1.2 requires an offset.")
        } else {
            report(
                .warning, .invalidDate, at: value,
                "`\(field.name)` is not an ISO 8601 date such as 2009-07-24T19:20:30.45+01:00.")
        }
        return nil
    }

    /// Checks that an HTTP version is known, in any notation that tools use.
    mutating func checkHTTPVersion(_ value: JSONNode) {
        guard value.source.index(ofKey: value.index, in: Self.usualHTTPVersions) == nil else { return }
        let text = value.string.text
        if text.isEmpty {
            report(
                .note, .unknownHTTPVersion, at: value,
                "`httpVersion` is empty. HAR 1.2 requires a version such as HTTP/1.1.")
        } else if !Self.isHTTPVersion(text.lowercased()) {
            report(.note, .unknownHTTPVersion, at: value, "`httpVersion` is \(text.quoted), an unknown HTTP version.")
        }
    }

    private static func isHTTPVersion(_ text: String) -> Bool {
        let version = text.hasPrefix("http/") ? text.dropFirst(5) : text[...]
        return httpVersions.contains(version) || httpVersionPrefixes.contains { version.hasPrefix($0) }
    }

    /// The versions that most tools write, for which no string is created.
    private static let usualHTTPVersions = JSONNameList([
        "HTTP/1.1", "HTTP/2", "HTTP/2.0", "http/1.1", "http/2.0", "h2", "h3",
    ])

    private static let httpVersions: [Substring] = ["0.9", "1.0", "1.1", "2", "2.0", "3", "3.0", "h2", "h2c", "h3"]

    private static let httpVersionPrefixes = ["h3-", "quic/", "2+quic/", "spdy/"]

    /// Checks that a status is a valid HTTP status code, or 0 or -1 for a request without a response.
    mutating func checkStatus(_ value: JSONNode) {
        var text: String { value.number.text.quoted }
        guard let status = value.int, HAR.Response.statuses.contains(status) || (-1...0).contains(status) else {
            return report(.warning, .invalidStatus, at: value, "Expected 100 to 999 for `status`, found \(text).")
        }
        checkNotation(value, of: "status", .invalidStatus)
        guard status > 599 else { return }
        report(
            .note, .invalidStatus, at: value,
            "`status` is \(text), which HTTP does not define. It is replayed, and clients treat it as 5xx.")
    }

    /// Reports an integer that is written as a fraction or with an exponent.
    private mutating func checkNotation(_ value: JSONNode, of name: String, _ rule: HARFinding.Rule) {
        guard !value.isPlainInteger, let integer = value.int else { return }
        report(.note, rule, at: value, "`\(name)` is written as \(value.number.text.quoted). Write \(integer) instead.")
    }

    /// Checks that a size is a number of bytes, or -1 for an unknown size.
    mutating func checkSize(_ value: JSONNode, of field: HARField) {
        if let size = value.int, size >= -1 { return checkNotation(value, of: field.name, .invalidSize) }
        report(
            .warning, .invalidSize, at: value,
            "Expected a number of bytes for `\(field.name)`, or -1 if unknown, found \(value.number.text.quoted).")
    }

    /// Checks that a duration is not negative, except for -1 in fields where that means "does not apply".
    mutating func checkTime(_ value: JSONNode, of field: HARField) {
        guard let time = value.double, time < 0 else { return }
        var text: String { value.number.text.quoted }
        if case .time = field.value {
            report(.warning, .unknownTime, at: value, "`\(field.name)` is \(text), but must not be negative.")
        } else if time != -1 {
            report(
                .warning, .unknownTime, at: value,
                "`\(field.name)` is \(text), but must not be negative, except for -1 if it does not apply.")
        }
    }
}

/// The rules for all strings, including those in custom fields.
extension Inspection {
    /// Reports strings that are not valid Unicode.
    mutating func checkStrings() {
        guard root.mayContainLossyStrings else { return }
        for index in root.index..<root.next {
            let node = JSONNode(source: root.source, index: index)
            guard node.kind == .string || node.kind == .key, node.isLossy else { continue }
            if node.isUTF8 {
                report(
                    .warning, .loneSurrogate, at: node,
                    "The string contains an escaped lone surrogate, which is not valid Unicode. It is preserved.")
            } else {
                report(
                    .warning, .invalidUTF8, at: node,
                    "The string contains bytes that are not valid UTF-8, which HAR 1.2 requires. They are preserved.")
            }
        }
    }
}
