/// Something in an archive that is against the specification, or allowed but worth knowing.
///
/// Header values, cookies and bodies never appear in it.
public struct HARFinding: Hashable, Sendable {
    /// How much it matters.
    public let severity: Severity

    /// The rule that found it.
    public let rule: Rule

    /// The place in the document: of the value, or of the object that lacks a field.
    public let pointer: JSONPointer

    /// The number of bytes before that place in the file; `nil` when it is unknown, as for what was made by code.
    public let byteOffset: Int?

    /// What is there, and what the specification says.
    public let message: String
}

extension HARFinding {
    /// How much a finding matters.
    public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
        /// Allowed, but worth knowing.
        case note

        /// A deviation that readers usually cope with.
        case warning

        /// A deviation that makes tools reject the file, or loses data.
        case error

        /// Whether the first matters less than the second.
        public static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }
}

extension HARFinding: CustomStringConvertible {
    /// The severity, the place, the message and the rule, such as
    /// `warning: /log/entries/0 (byte 52): The size is missing. [unknown-size]`.
    public var description: String {
        let place = pointer.components.isEmpty ? "the file" : pointer.description
        let offset = byteOffset.map { " (byte \($0))" } ?? ""
        return "\(severity.rawValue): \(place)\(offset): \(message) [\(rule)]"
    }
}

extension HARFinding {
    /// The finding for a byte order mark, which is no part of the document and so no event of a reader.
    public static let byteOrderMark = HARFinding(
        severity: .note, rule: .byteOrderMark, pointer: JSONPointer(), byteOffset: 0,
        message: "A byte order mark stands in front; HAR 1.2 allows it, JSON does not.")
}
