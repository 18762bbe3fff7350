import Foundation
import HTTPArchive

extension EntryComparison {
    /// Compares two bodies by their content.
    ///
    /// - Parameters:
    ///   - first: The first body, or nil if the archive does not have it.
    ///   - second: The second body, or nil if the archive does not have it.
    ///   - part: The name of the part in differences.
    ///   - sizes: The recorded sizes of the bodies, in bytes; unknown by default.
    mutating func compareBodies(
        _ first: ComparedBody?, _ second: ComparedBody?, _ part: String, sizes: (Int, Int) = (-1, -1)
    ) {
        guard let first, let second else {
            // Tools disagree on whether an empty body was captured, so only the size tells whether it was empty.
            let known = (first?.data.count ?? max(0, sizes.0), second?.data.count ?? max(0, sizes.1))
            let isUncaptured = first == nil && second == nil
            let isSame = known == (0, 0) || isUncaptured && (known.0 == 0 || known.1 == 0 || known.0 == known.1)
            if !isSame { add(part, nil, Self.summary(of: first, known.0), Self.summary(of: second, known.1)) }
            return
        }
        guard first.data != second.data else { return }
        switch (first.content, second.content) {
        case (.json(let first), .json(let second)): compareJSON(first, second, part)
        case (.form(let first), .form(let second)): compareForms(first, second, part)
        case (.multipart(let first), .multipart(let second)): compareParts(first, second, part)
        default:
            if first.isText, second.isText {
                compareText(first, second, part)
            } else {
                add(part, nil, Self.summary(of: first.data), Self.summary(of: second.data))
            }
        }
    }

    /// Compares two JSON values.
    mutating func compareJSON(_ first: JSONValue, _ second: JSONValue, _ part: String) {
        for change in JSONBodyDifferences(first, second, aligningWithout: volatile).changes {
            if volatile.ignores(change) {
                difference.ignored.insert(VolatileField(part: part, name: change.pattern.description))
            } else if difference.fields.count < limit {
                let pair = (change.first, change.second)
                add(part, .pointer(values.pointer(change.pointer)), pair) { $0.json($1, at: change.pointer) }
            } else {
                difference.omittedCount += 1
            }
        }
    }

    private mutating func compareForms(
        _ first: [FormEncoding.Item], _ second: [FormEncoding.Item], _ part: String
    ) {
        let items = [first, second].map { Dictionary(grouping: $0, by: \.name) }
        for (name, items) in Self.pairs(of: items[0], items[1]) {
            let pair = (items.0?.map(\.value), items.1?.map(\.value))
            guard pair.0 != pair.1 else { continue }
            let isInBoth = pair.0 != nil && pair.1 != nil
            let all = ((pair.0 ?? []) + (pair.1 ?? [])).map { $0[...] }
            if volatile.ignores(formField: name, values: all, isInBoth: isInBoth) {
                difference.ignored.insert(VolatileField(part: part, name: name))
            } else {
                add(part, .name(values.text(name)), pair) { $0.fields($1, named: name) }
            }
        }
    }

    private mutating func compareParts(_ first: [MultipartBody.Part], _ second: [MultipartBody.Part], _ part: String) {
        for (first, second) in Self.pairs(of: first, second) where first != second {
            let isInBoth = first != nil && second != nil
            let name = first?.name ?? second?.name ?? ""
            if volatile.ignores([first, second].compactMap { $0 }, isInBoth: isInBoth) {
                difference.ignored.insert(VolatileField(part: part, name: name))
            } else {
                let showsType = isInBoth && first?.type != second?.type
                add(part, .name(values.text(name)), (first, second)) { $0.part($1, showsType: showsType) }
            }
        }
    }

    /// Returns the pairs of parts with the same name, which are paired in order, and the other parts.
    private static func pairs(
        of first: [MultipartBody.Part], _ second: [MultipartBody.Part]
    ) -> [(MultipartBody.Part?, MultipartBody.Part?)] {
        var named: [String: ArraySlice<MultipartBody.Part>] = [:]
        for part in second { named[part.name, default: []].append(part) }
        var pairs: [(MultipartBody.Part?, MultipartBody.Part?)] = first.map { ($0, named[$0.name]?.popFirst()) }
        for part in second {
            // The rest of the parts with this name is at their end.
            guard let rest = named.removeValue(forKey: part.name) else { continue }
            pairs += rest.map { (nil, $0) }
        }
        return pairs
    }

    private mutating func compareText(_ first: ComparedBody, _ second: ComparedBody, _ part: String) {
        let differences = LineDifferences(first.data, second.data, limit: max(0, limit - difference.fields.count))
        for line in differences.lines {
            add(
                part, .line(line.number), line.first.map { .text(values.line($0, of: first)) },
                line.second.map { .text(values.line($0, of: second)) })
        }
        difference.omittedCount += differences.omittedCount
        if differences.lines.isEmpty, differences.omittedCount == 0 {
            add(
                part, .name("line breaks"), .text(Self.lineBreaks(in: first.data)),
                .text(Self.lineBreaks(in: second.data)))
        }
    }

    /// Returns the names of the line breaks in a text, with their numbers.
    private static func lineBreaks(in text: Data) -> String {
        var counts = (crlf: 0, lf: 0)
        var last: UInt8 = 0
        for byte in text {
            if byte == 0x0A { if last == 0x0D { counts.crlf += 1 } else { counts.lf += 1 } }
            last = byte
        }
        return [("CRLF", counts.crlf), ("LF", counts.lf)].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
            .joined(separator: ", ")
    }

    /// Returns the size of a body and, if it was captured, its digest; nil for an unknown size.
    private static func summary(of body: ComparedBody?, _ size: Int) -> JSONValue? {
        if let body { return summary(of: body.data) }
        return size > 0 ? ["size": .integer(size), "captured": .bool(false)] : nil
    }

    /// Returns the size and the digest of a body.
    static func summary(of body: Data) -> JSONValue {
        ["size": .integer(body.count), "sha256": .text(Hexadecimal.text(HashAlgorithm.sha256.hash(of: body)))]
    }
}

/// The differences between two JSON bodies.
///
/// The elements of arrays are aligned, so that an inserted element does not change the others.
struct JSONBodyDifferences {
    /// A value that differs.
    struct Change {
        /// The location, in the first body or, for a value that was added, in the second.
        let pointer: JSONPointer

        /// The location with `*` in place of array indices.
        let pattern: JSONPointer

        /// The value in the first body, or nil if it was added.
        let first: JSONValue?

        /// The value in the second body, or nil if it was removed.
        let second: JSONValue?
    }

    /// The differences, ordered by element and by member name.
    private(set) var changes: [Change] = []

    private let volatile: VolatileFields

    /// Compares two bodies.
    ///
    /// - Parameters:
    ///   - first: The first body.
    ///   - second: The second body.
    ///   - volatile: The values that do not matter when elements are aligned.
    init(_ first: JSONValue, _ second: JSONValue, aligningWithout volatile: VolatileFields) {
        self.volatile = volatile
        compare(first, second, at: JSONPointer(), JSONPointer())
    }

    private mutating func compare(
        _ first: JSONValue, _ second: JSONValue, at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        switch (first, second) {
        case (.object(let one), .object(let other)): compareMembers(one, other, at: pointer, pattern)
        case (.array(let one), .array(let other)): compareElements(one, other, at: pointer, pattern)
        default:
            guard first.canonicalText() != second.canonicalText() else { return }
            changes.append(Change(pointer: pointer, pattern: pattern, first: first, second: second))
        }
    }

    private mutating func compareMembers(
        _ first: JSONObject, _ second: JSONObject, at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        let members = [first, second].map { object in
            Dictionary(object.members.map { ($0.name, $0.value) }) { _, last in last }
        }
        for name in Set(members[0].keys).union(members[1].keys).sorted(by: { $0.text < $1.text }) {
            add(members[0][name], members[1][name], at: pointer.appending(name.text), pattern.appending(name.text))
        }
    }

    private mutating func compareElements(
        _ first: [JSONValue], _ second: [JSONValue], at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        let texts = [first, second].map { elements in
            elements.map { $0.canonicalText(ignoring: volatile.pointers(in: $0)) }
        }
        let inside = pattern.appending("*")
        for step in Alignment(texts[0], texts[1]).steps(includesEqual: true) {
            add(
                step.first.map { first[$0] }, step.second.map { second[$0] },
                at: pointer.appending(step.first ?? step.second ?? 0), inside)
        }
    }

    /// Adds the differences between two values, or one value if the other is missing.
    private mutating func add(
        _ first: JSONValue?, _ second: JSONValue?, at pointer: JSONPointer, _ pattern: JSONPointer
    ) {
        if let first, let second {
            compare(first, second, at: pointer, pattern)
        } else {
            changes.append(Change(pointer: pointer, pattern: pattern, first: first, second: second))
        }
    }
}

/// The lines in which two texts differ.
struct LineDifferences {
    /// A line that differs.
    struct Line {
        /// The number of the line, from 1: in the first text, or in the second text if the line was added.
        let number: Int

        /// The range of the line in the first text, in bytes, or nil if it was added.
        let first: Range<Int>?

        /// The range of the line in the second text, in bytes, or nil if it was removed.
        let second: Range<Int>?
    }

    /// The lines, in order, up to the limit.
    private(set) var lines: [Line] = []

    /// The number of other lines that differ.
    private(set) var omittedCount = 0

    /// Compares two texts, ignoring the kind of line breaks.
    ///
    /// - Parameters:
    ///   - first: The first text, in UTF-8.
    ///   - second: The second text, in UTF-8.
    ///   - limit: The maximum number of lines; others are only counted.
    /// - Complexity: O(*n* log *n*) in the number of lines, plus the time for aligning a limited number of lines.
    init(_ first: Data, _ second: Data, limit: Int) {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                let texts = (Self.lines(of: first), Self.lines(of: second))
                for step in Alignment(texts.0, texts.1).steps() {
                    guard lines.count < limit else {
                        omittedCount += 1
                        continue
                    }
                    lines.append(
                        Line(
                            number: (step.first ?? step.second ?? 0) + 1,
                            first: step.first.map { texts.0[$0].range(in: first) },
                            second: step.second.map { texts.1[$0].range(in: second) }))
                }
            }
        }
    }

    /// A line that is compared by its bytes.
    private struct Key: Hashable {
        let bytes: UnsafeRawBufferPointer

        func range(in text: UnsafeRawBufferPointer) -> Range<Int> {
            guard let start = text.baseAddress, let address = bytes.baseAddress else { return 0..<0 }
            return address - start..<address - start + bytes.count
        }

        static func == (first: Self, second: Self) -> Bool { first.bytes.isEqual(to: second.bytes) }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
    }

    /// Returns the lines of a text without their line breaks, which are valid as long as the text.
    private static func lines(of text: UnsafeRawBufferPointer) -> [Key] {
        var lines: [Key] = []
        var offset = 0
        while true {
            let end = text[from: offset].firstOffset(of: 0x0A).map { offset + $0 } ?? text.count
            let hasReturn = end > offset && text[end - 1] == UInt8(ascii: "\r")
            lines.append(Key(bytes: .init(rebasing: text[offset..<(hasReturn ? end - 1 : end)])))
            guard end < text.count else { return lines }
            offset = end + 1
        }
    }
}
