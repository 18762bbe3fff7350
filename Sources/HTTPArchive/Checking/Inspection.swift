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
