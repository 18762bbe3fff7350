import Foundation
import HTTPArchive

/// Missing and extra brackets between two entries, and text between entries.
extension ArchiveScan {
    /// Returns the end of an entry whose closing brackets are missing, or nil if the entry has other damage.
    ///
    /// The next entry or the end of the list must follow. Only closing brackets are missing if the entry has a request
    /// and a response, and either only its own brace is missing or its last field is known.
    func endBeforeBoundary(of value: LenientReader.Value) throws(HARError) -> Int? {
        guard value.names.isSuperset(of: [.request, .response]) else { return nil }
        let changeCount = changes.count
        defer { discardChanges(after: changeCount) }
        let boundary: Int
        let depth: Int
        switch value.failure {
        case .landmark:
            guard let landmark = value.landmark, !landmark.isArchive else { return nil }
            (boundary, depth) = (landmark.start, landmark.depth)
        case .invalid(let expected) where Self.boundaryExpectations.contains(expected):
            (boundary, depth) = (value.range.upperBound, value.depth)
            guard try isBoundary(at: boundary) else { return nil }
        default: return nil
        }
        guard depth == 1 || value.names.contains(.timings) else { return nil }
        let end = try reader.end(of: value.range.lowerBound..<boundary)
        // The next entry can be in the position of a value.
        return try reader.file.bytes(in: end..<boundary).contains(UInt8(ascii: ":")) ? nil : end
    }

    /// The text that the scanner expects after a complete element.
    private static let boundaryExpectations: Set = ["',' or '}'", "',' or ']'", "a name"]

    private func isBoundary(at offset: Int) throws(HARError) -> Bool {
        reader.offset = offset
        switch try reader.nextByte() {
        case UInt8(ascii: "{"): return try reader.value().names.isEntry
        case UInt8(ascii: "]"): return try isEnd(at: offset, depth: 0)
        default: return false
        }
    }

    /// Returns whether a comma and another element, or the end of the list, follow.
    func isFollowedByElement() throws(HARError) -> Bool {
        let (end, changeCount) = (reader.offset, changes.count)
        defer {
            reader.offset = end
            discardChanges(after: changeCount)
        }
        guard let byte = try reader.nextByte() else { return true }
        if byte == UInt8(ascii: ",") { reader.offset += 1 }
        return try reader.nextByte() != UInt8(ascii: "}")
    }

    /// Returns the kind of text after closing brackets.
    ///
    /// All brackets up to the next other text are examined together, and only once.
    func textAfterBrackets(from offset: Int) throws(HARError) -> NextText {
        if brackets.range.contains(offset) { return brackets.next }
        let changeCount = changes.count
        defer { discardChanges(after: changeCount) }
        reader.offset = offset
        var last: Int?
        var byte = try reader.nextByte()
        while let next = byte, ",]}".utf8.contains(next) {
            if next == UInt8(ascii: "]") { last = reader.offset }
            reader.offset += 1
            byte = try reader.nextByte()
        }
        let end = reader.offset
        brackets = (offset..<end, last, .other)
        if byte == UInt8(ascii: "{") {
            if try !reader.isArchive(at: end), try reader.value().names.isEntry { brackets.next = .entry }
        } else if let name = try reader.name()?.text, HAR.fieldNames.contains(name), !Self.logNames.contains(name) {
            brackets.next = .entryField
        }
        return brackets.next
    }

    // MARK: Values around entries

    /// Reads the entries in a value that is not an entry, up to its closing bracket, an archive, or invalid text.
    func scanWrapper() throws(HARError) {
        var depth = 0
        while let byte = try reader.nextByte() {
            let offset = reader.offset
            switch byte {
            case UInt8(ascii: ","): reader.offset += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let value = try reader.value(stopsAtLandmark: true)
                let isOther = value.names.isDisjoint(with: .entryFields)
                reader.offset = offset
                if value.isArchive { return }
                if let landmark = value.landmark, landmark.start > offset, isOther {
                    reader.offset = landmark.start
                    if landmark.isArchive { return }
                    depth += landmark.depth
                } else if value.names.isEntry || value.innerEntry != nil {
                    if try scanEntry(isSeparated: true) == .archive { return }
                } else if value.failure == nil {
                    reader.offset = value.range.upperBound
                } else {
                    reader.offset = max(value.resume, offset + 1)
                    return
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                reader.offset += 1
                depth -= 1
                if depth <= 0 { return }
            default:
                guard try reader.name() == nil else { continue }
                guard try reader.value().failure == nil else { return }
            }
        }
    }

    // MARK: Text between entries

    /// The maximum size of a line that is not JSON, in bytes.
    private static let maximumLineSize = 1 << 12

    /// Skips a line of other text between two entries, such as a line of a log, and returns whether there was one.
    func skipForeignText(at start: Int) throws(HARError) -> Bool {
        reader.offset = start
        guard pending.allSatisfy(isComplete), let size = ForeignLine.size(try reader.peek(Self.maximumLineSize)) else {
            return false
        }
        note(.surroundingText, at: start)
        reader.offset = start + size
        return true
    }
}

/// A line between two entries that is not part of JSON.
enum ForeignLine {
    /// The pairs of bytes, ignoring spaces, by which JSON is recognized.
    private static let pairs = ["\":", "\",", "\"}", "\"]", "},", "}}", "}]", "],", "]}"].map { Array($0.utf8) }

    /// Returns the number of bytes up to the line break or the next entry, or nil if the text can be JSON.
    static func size(_ text: [UInt8]) -> Int? {
        guard let first = text.first, !"{}],:\"'".utf8.contains(first) else { return nil }
        var previous: UInt8 = 0
        for (index, byte) in text.enumerated() {
            if byte == 0x0A || byte == 0x0D { return isJSON(text[..<index], last: previous) ? nil : index }
            if byte == 0x20 || byte == 0x09 { continue }
            if byte == UInt8(ascii: "{"), beginsEntry(text[(index + 1)...]) {
                return isJSON(text[..<index], last: previous) ? nil : index
            }
            if pairs.contains([previous, byte]) { return nil }
            // An ellipsis for omitted entries.
            if byte == UInt8(ascii: ","), text[..<index].allSatisfy({ ". ".utf8.contains($0) }) { return index }
            previous = byte
        }
        return nil
    }

    private static func beginsEntry(_ text: ArraySlice<UInt8>) -> Bool {
        text.first { !JSONText.isWhitespace($0) } == UInt8(ascii: "\"")
    }

    /// Returns whether a line is a value or the start or end of one.
    private static func isJSON(_ line: ArraySlice<UInt8>, last: UInt8) -> Bool {
        if last == UInt8(ascii: ",") || last == UInt8(ascii: "[") { return true }
        return (try? JSONValue(parsing: Data(line))) != nil
    }
}
