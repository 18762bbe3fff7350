/// Reading the text around the entries.
extension ArchiveScan {
    /// The names of the log's fields.
    static let logNames = ["entries", "pages", "creator", "browser", "version", "comment"]

    /// Reads an object that may be a document, a log or an entry.
    ///
    /// - Returns: Whether it is one of them.
    func scanDocument() throws(HARError) -> Bool {
        let start = reader.offset
        reader.offset += 1
        var leading: [(name: JSONString, offset: Int)] = []
        while let byte = try reader.nextByte() {
            if byte == UInt8(ascii: ",") {
                reader.offset += 1
                continue
            }
            if byte == UInt8(ascii: "}") {
                reader.offset += 1
                return false
            }
            let nameOffset = reader.offset
            guard let name = try reader.name(), let next = try reader.nextByte() else { return false }
            switch (name.text, next) {
            case ("log", UInt8(ascii: "{")), ("log", UInt8(ascii: "[")):
                let offset = reader.offset
                try begin(at: start)
                try read(leading, into: \.documentFields)
                archives[archives.count - 1].documentFields.append(nil)
                reader.offset = offset + 1
                if next == UInt8(ascii: "[") {
                    note(.bareEntries, at: offset)
                    try scanEntries(closing: UInt8(ascii: "]"))
                    try scanDocumentEnd()
                } else if try scanLog() {
                    try scanDocumentEnd()
                }
                return true
            case ("entries", UInt8(ascii: "[")), ("pages", UInt8(ascii: "[")), ("creator", UInt8(ascii: "{")),
                ("browser", UInt8(ascii: "{")):
                try begin(at: start)
                note(.bareLog, at: start)
                try read(leading, into: \.fields)
                reader.offset = nameOffset
                _ = try scanLog()
                return true
            case ("startedDateTime", _), ("request", UInt8(ascii: "{")), ("response", UInt8(ascii: "{")):
                try beginBareEntries(at: start)
                reader.offset = start
                try scanEntries(closing: nil)
                return true
            default:
                leading.append((name, reader.offset))
                guard try reader.value().failure == nil else { return false }
            }
        }
        return false
    }

    /// Reads an array that may contain entries or archives.
    ///
    /// - Returns: Whether it does.
    func scanArray() throws(HARError) -> Bool {
        let start = reader.offset
        reader.offset += 1
        guard try reader.nextByte() == UInt8(ascii: "{") else { return false }
        let first = reader.offset
        if try isArchive(at: first) { return true }
        reader.offset += 1
        _ = try reader.nextByte()
        let name = try reader.name()
        reader.offset = first
        let value = try reader.value()
        reader.offset = first
        guard value.hasRequest || name == "startedDateTime" else { return false }
        try beginBareEntries(at: start)
        try scanEntries(closing: UInt8(ascii: "]"))
        return true
    }

    /// Begins an archive of entries without a log, unless the previous entries have no log either.
    private func beginBareEntries(at start: Int) throws(HARError) {
        if let last = archives.last, last.fields.isEmpty, last.documentFields.isEmpty { return }
        try begin(at: start)
        note(.bareEntries, at: start)
    }

    private func read(
        _ leading: [(name: JSONString, offset: Int)], into fields: WritableKeyPath<Archive, [Field?]>
    ) throws(HARError) {
        for (name, offset) in leading {
            reader.offset = offset
            _ = try readField(name, into: fields)
        }
    }

    /// Returns whether an object at an offset is a document with a log.
    func isArchive(at offset: Int) throws(HARError) -> Bool {
        try reader.find(["log"], in: offset..<min(offset + 64, reader.size), afterBrace: true) == offset
    }

    // MARK: Fields

    /// Reads the members of a log.
    ///
    /// - Returns: Whether the log has a closing brace.
    func scanLog() throws(HARError) -> Bool {
        var isSeparated = true
        while let byte = try reader.nextByte() {
            let offset = reader.offset
            switch byte {
            case UInt8(ascii: ","):
                if isSeparated { note(.extraComma, at: offset) }
                isSeparated = true
                reader.offset += 1
            case UInt8(ascii: "}"):
                if isSeparated, archives[archives.count - 1].fields.count > 0 { note(.extraComma, at: offset) }
                reader.offset += 1
                return true
            case UInt8(ascii: "]"):
                note(.extraBracket, at: offset)
                reader.offset += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                note(.missingBracket, at: offset)
                return false
            default:
                guard try readLogField(isSeparated: isSeparated) else {
                    try skipField(from: offset)
                    isSeparated = true
                    continue
                }
                isSeparated = false
            }
        }
        note(.missingEnd, at: reader.size)
        return false
    }

    /// Reads a member of a log, and returns whether it is valid.
    private func readLogField(isSeparated: Bool) throws(HARError) -> Bool {
        let offset = reader.offset
        guard let name = try reader.name() else { return false }
        if !isSeparated { note(.missingComma, at: offset) }
        let next = try reader.nextByte()
        let isOpening = next == UInt8(ascii: "[") || next == UInt8(ascii: "{")
        guard isOpening, name == "entries" || MisspelledEntries.isMisspelled(name.text) else {
            if next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: "}") {
                note(.missingValue, at: reader.offset)
                return true
            }
            return try readField(name, into: \.fields)
        }
        if name != "entries" { note(.wrongType, at: offset) }
        let index = archives.count - 1
        if !archives[index].fields.contains(where: { $0 == nil }) { archives[index].fields.append(nil) }
        reader.offset += 1
        if next == UInt8(ascii: "{") { note(.wrongType, at: offset) }
        try scanEntries(closing: next == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        return true
    }

    /// Skips a broken field, up to the next field of a log or the next archive.
    private func skipField(from offset: Int) throws(HARError) {
        // If the string before this text has no closing quotation mark, the quotation mark before this text is the
        // opening one of a name.
        if offset > 0, try reader.find(Self.logNames, in: offset - 1..<offset) != nil {
            note(.missingComma, at: offset)
            reader.offset = offset - 1
            return
        }
        let range = min(offset + 1, reader.size)..<reader.size
        var next = try reader.find(Self.logNames, in: range)
        if let archive = try reader.find(["log"], in: range.lowerBound..<(next ?? reader.size), afterBrace: true) {
            next = archive
        }
        try markBroken(offset..<(next ?? reader.size), isIncomplete: false)
        reader.offset = next ?? reader.size
    }

    /// Reads the members of a document after its log.
    private func scanDocumentEnd() throws(HARError) {
        while let byte = try reader.nextByte() {
            switch byte {
            case UInt8(ascii: ","): reader.offset += 1
            case UInt8(ascii: "}"):
                reader.offset += 1
                return
            case UInt8(ascii: "]"):
                note(.extraBracket, at: reader.offset)
                reader.offset += 1
            default:
                let offset = reader.offset
                guard let name = try reader.name() else {
                    note(.missingBracket, at: offset)
                    reader.offset = offset
                    return
                }
                if name == "log", try reader.nextByte() == UInt8(ascii: "{") {
                    try begin(at: offset)
                    reader.offset += 1
                    guard try scanLog() else { return }
                } else if try !readField(name, into: \.documentFields) {
                    note(.missingBracket, at: offset)
                    reader.offset = offset
                    return
                }
            }
        }
        note(.missingEnd, at: reader.size)
    }
}
