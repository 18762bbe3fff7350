import HTTPArchive

/// Scans JSON-like text, and collects the changes that turn it into strict JSON.
///
/// In addition to JSON, the scanner accepts comments, extra and missing commas, missing values, names and words without
/// quotation marks, single quotation marks and backticks, raw control characters, unknown escape sequences, and the
/// numbers, words, joined strings and calls of JavaScript and Python. Brackets and colons must be as in JSON, so that
/// other damage is not misinterpreted.
///
/// A scan that fails consumes the text that it read: ``resume`` is the offset where a search for other values may
/// continue. Because each byte is scanned only a few times, damaged files take linear time.
struct LenientScanner {
    /// The part of a document to scan.
    enum Part { case gap, name, value }

    /// The reason why the scanner stopped before the end of the part.
    enum Stop: Error, Equatable {
        /// The text ends within the part, but more text follows in the file.
        case incomplete

        /// The file ends within the part.
        case endOfFile

        case invalid(expected: String)

        /// A limit of the reader is exceeded.
        case tooDeep, tooLarge

        /// The value contains a landmark at which the scan must stop.
        case landmark
    }

    /// The start of an object that is an archive, or an entry in another value.
    struct Landmark: Equatable {
        let start: Int
        let isArchive: Bool

        /// The number of containers around it.
        let depth: Int
    }

    private struct Container {
        let isObject: Bool
        let start: Int

        /// Whether the object is the value of a field `log`.
        let isLog: Bool

        /// Whether this is part of an object that HAR defines, which cannot contain an entry.
        ///
        /// If it does, brackets are missing.
        let isStandard: Bool

        var count = 0
        var comma: Int?
        var names: HARNames = []
    }

    /// The text, from the start of the part.
    let text: UnsafeRawBufferPointer

    /// Whether the text extends to the end of the file.
    let isWhole: Bool

    let limits: JSONScanner.Limits
    let collectsEdits: Bool

    /// The scan stops at a landmark before this offset.
    private let landmarkLimit: Int

    let comments: CommentSearch

    /// The offset up to which the text was scanned.
    var offset = 0

    /// The changes so far, if they are collected.
    var edits: [LenientEdit] = []

    /// Whether the text is not strict JSON.
    var isEdited = false

    /// The fields of HAR in the scanned value.
    private(set) var names: HARNames = []

    /// The first landmark, or nil if the value contains none.
    private(set) var landmark: Landmark?

    /// The start of the string or comment directly before the offset, or nil if another token precedes it.
    ///
    /// If a quotation mark is missing, this string contains the text between two other strings.
    var lastText: Int?

    private var nextIsLog = false
    private var nextIsStandard = false

    /// The number of bytes in comments.
    var commentByteCount = 0

    var tokenCount = 0
    private var stack: [Container] = []

    /// The offset from which to search for other values after this scan has failed.
    var resume: Int { max(1, lastText ?? offset) }

    /// The number of containers that are not closed.
    var depth: Int { stack.count }

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - text: The text, from the start of the part.
    ///   - isWhole: Whether the text extends to the end of the file.
    ///   - limits: The maximum size and depth of a value.
    ///   - collectsEdits: Whether the changes are collected.
    ///   - landmarkLimit: The offset before which the scan stops at a landmark; 0 by default.
    ///   - comments: The search for the ends of comments; a new one by default.
    init(
        _ text: UnsafeRawBufferPointer, isWhole: Bool, limits: JSONScanner.Limits, collectsEdits: Bool,
        landmarkLimit: Int = 0, comments: CommentSearch = CommentSearch()
    ) {
        self.text = text
        self.isWhole = isWhole
        self.limits = limits
        self.collectsEdits = collectsEdits
        self.landmarkLimit = landmarkLimit
        self.comments = comments
    }

    /// Scans a part, and returns the reason if it is not complete.
    mutating func scan(_ part: Part) -> Stop? {
        do throws(Stop) {
            switch part {
            case .gap: try skipGap()
            case .name:
                try scanName()
                try skipColon()
            case .value:
                try scanValue()
                while !stack.isEmpty { try scanElement() }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Returns strict JSON for a value, which is complete except maybe for closing brackets.
    ///
    /// - Parameters:
    ///   - bytes: The text of the value.
    ///   - limits: The maximum size and depth of the value.
    /// - Returns: The strict JSON, or nil if the text is not a value.
    static func strict(_ bytes: [UInt8], limits: JSONScanner.Limits) -> LenientText? {
        bytes.withUnsafeBytes { text in
            var scanner = LenientScanner(text, isWhole: true, limits: limits, collectsEdits: true)
            let stop = scanner.scan(.value)
            guard stop == nil || stop == .endOfFile && scanner.offset == text.count else { return nil }
            for container in scanner.stack.reversed() {
                let bracket = UInt8(ascii: container.isObject ? "}" : "]")
                scanner.edits.append(.init(.missingBracket, text.count..<text.count, bracket: bracket))
            }
            return LenientText(text[from: 0, to: scanner.offset], scanner.edits)
        }
    }

    // MARK: Structure

    private mutating func scanElement() throws(Stop) {
        let gapStart = offset
        try skipGap()
        let last = stack.count - 1
        let byte = try current("',' or a closing bracket")
        let isObject = stack[last].isObject
        switch byte {
        case UInt8(ascii: ","):
            if stack[last].count == 0 || stack[last].comma != nil {
                try count()
                record(.extraComma, offset..<offset + 1)
            } else {
                stack[last].comma = offset
            }
            skip()
            return
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
            if let comma = stack[last].comma { recordTrailing(comma) }
            skip()
            stack.removeLast()
            try count()
            return
        default: break
        }
        if stack[last].count > 0, stack[last].comma == nil {
            guard Self.canFollow(byte, isObject: isObject, hasGap: offset > gapStart) else {
                throw .invalid(expected: isObject ? "',' or '}'" : "',' or ']'")
            }
            record(.missingComma, offset..<offset)
        }
        stack[last].count += 1
        stack[last].comma = nil
        nextIsStandard = !isObject && stack[last].isStandard
        if isObject {
            let start = offset
            try scanName()
            let name = HARNames(name: text[from: start, to: offset])
            try skipColon()
            try skipGap()
            let byte = try current("a value")
            if !name.isEmpty { try mark(name, before: byte) }
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
                return record(.missingValue, offset..<offset)
            }
        }
        try scanValue()
    }

    /// Returns whether a byte begins an element whose preceding comma can be missing.
    ///
    /// Text after a stray quotation mark must not look like an element.
    private static func canFollow(_ byte: UInt8, isObject: Bool, hasGap: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): isObject || hasGap
        case UInt8(ascii: "{"), UInt8(ascii: "["): !isObject
        default: !isObject && hasGap && (JSONText.isDigit(byte) || byte == UInt8(ascii: "-"))
        }
    }

    /// Records a name of HAR in the innermost object, and finds landmarks.
    private mutating func mark(_ name: HARNames, before value: UInt8) throws(Stop) {
        let last = stack.count - 1
        let isObject = value == UInt8(ascii: "{")
        nextIsLog = name == .log && isObject
        nextIsStandard = stack[last].isStandard && !name.isDisjoint(with: .containers)
        if name == .request || name == .response, !isObject { return }
        stack[last].names.insert(name)
        if last == 0 { self.names.insert(name) }
        guard landmark == nil else { return }
        let names = stack[last].names
        if last > 0, stack[last].isLog, stack[last].count == 1, !name.isDisjoint(with: .logFields) {
            landmark = Landmark(start: stack[last - 1].start, isArchive: true, depth: last - 1)
        } else if name == .entries, value == UInt8(ascii: "["), !names.isDisjoint(with: [.creator, .version, .pages]) {
            landmark = Landmark(start: stack[last].start, isArchive: true, depth: last)
        } else if last > 0, names.isEntry {
            landmark = Landmark(start: stack[last].start, isArchive: false, depth: last)
            if stack[last].isStandard { throw .landmark }
        }
        if let landmark, landmark.start < landmarkLimit, landmark.start > 0 || !self.names.contains(.request) {
            throw .landmark
        }
    }

    private mutating func scanValue() throws(Stop) {
        try count()
        let byte = try current("a value")
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard stack.count < limits.depth else { throw .tooDeep }
            let isObject = byte == UInt8(ascii: "{")
            stack.append(
                Container(
                    isObject: isObject, start: offset, isLog: nextIsLog,
                    isStandard: stack.isEmpty ? isObject : nextIsStandard))
            nextIsLog = false
            skip()
        case UInt8(ascii: "("): try scanText()
        case _ where LenientString.isQuote(byte): try scanText()
        case _ where LenientString.beginsTypographicQuote(byte):
            guard try scanTypographicString() else { throw .invalid(expected: "a value") }
        default: try scanWord()
        }
    }

    private mutating func scanName() throws(Stop) {
        try count()
        let byte = try current("a name")
        if LenientString.isQuote(byte) { return try scanString() }
        if LenientString.beginsTypographicQuote(byte), try scanTypographicString() { return }
        let start = offset
        try skipWord(Self.isNameByte)
        guard offset > start else { throw .invalid(expected: "a name") }
        lastText = nil
        record(.unquotedName, start..<offset)
    }

    private mutating func skipColon() throws(Stop) {
        try skipGap()
        guard try current("':'") == UInt8(ascii: ":") else { throw .invalid(expected: "':'") }
        skip()
    }
}
