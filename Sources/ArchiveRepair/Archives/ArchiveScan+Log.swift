import HTTPArchive

/// Reading the text around the entries.
extension ArchiveScan {
    /// The names of the log's fields.
    static let logNames = ["entries", "pages", "creator", "browser", "version", "comment"]

    /// Reads an object that may be a document, a log or an entry.
    ///
    /// - Returns: The offset from which to search for an archive, or nil if the object was one.
    func scanDocument() throws(HARError) -> Int? {
        let (start, changeCount) = (reader.offset, changes.count)
        reader.offset += 1
        var leading: [(name: JSONString, offset: Int)] = []
        var isSeparated = true
        while let byte = try reader.nextByte() {
            if byte == UInt8(ascii: ",") {
                skipComma(&isSeparated)
                continue
            }
            if byte == UInt8(ascii: "}") { return reader.offset + 1 }
            let nameOffset = reader.offset
            guard leading.count < limits.fieldCount, let name = try reader.name(), let next = try reader.nextByte()
            else { return nameOffset }
            if !isSeparated { note(.missingComma, at: nameOffset) }
            isSeparated = false
            switch (name.text, next) {
            case ("log", UInt8(ascii: "{")) where try !isEntry(at: reader.offset), ("log", UInt8(ascii: "[")):
                let offset = reader.offset
                try begin(at: start)
                try read(leading, to: \.documentFields)
                archives[archives.count - 1].documentFields.append(nil)
                reader.offset = offset + 1
                if next == UInt8(ascii: "[") {
                    note(.bareEntries, at: offset)
                    archives[archives.count - 1].fields.append(nil)
                    try scanEntries(closing: UInt8(ascii: "]"))
                    try scanDocumentEnd()
                } else if try scanLog() {
                    try scanDocumentEnd()
                }
                return nil
            case ("entries", UInt8(ascii: "[")), ("pages", UInt8(ascii: "[")), ("creator", UInt8(ascii: "{")),
                ("browser", UInt8(ascii: "{")):
                try begin(at: start)
                note(.bareLog, at: start)
                try read(leading, to: \.fields)
                reader.offset = nameOffset
                _ = try scanLog()
                return nil
            case ("startedDateTime", _) where try isArchive(at: start):
                leading.append((name, reader.offset))
                _ = try reader.value()
            case ("startedDateTime", _), ("request", UInt8(ascii: "{")), ("response", UInt8(ascii: "{")):
                // The text is read again as an entry.
                discardChanges(after: changeCount)
                try beginBareEntries(at: start)
                reader.offset = start
                try scanEntries(closing: nil)
                return nil
            default:
                leading.append((name, reader.offset))
                let value = try reader.value(stopsAtLandmark: true)
                if value.names.isEntry || value.innerEntry != nil {
                    discardChanges(after: changeCount)
                    try scanWrappedEntries(from: start)
                    return nil
                }
                if value.failure != nil { return value.landmark?.start ?? value.resume }
            }
        }
        return reader.offset
    }

    /// Skips a comma, which is extra if another one precedes it.
    func skipComma(_ isSeparated: inout Bool) {
        if isSeparated { note(.extraComma, at: reader.offset) }
        isSeparated = true
        reader.offset += 1
    }

    /// Returns whether an object is an archive although it has a field of an entry.
    private func isArchive(at start: Int) throws(HARError) -> Bool {
        let offset = reader.offset
        defer { reader.offset = offset }
        reader.offset = start
        return try reader.value().isArchive
    }

    /// Reads an array that may contain entries or archives.
    ///
    /// - Returns: The offset from which to search for an archive, or nil if the array contains entries.
    func scanArray() throws(HARError) -> Int? {
        let start = reader.offset
        reader.offset += 1
        guard try reader.nextByte() == UInt8(ascii: "{") else { return start + 1 }
        let first = reader.offset
        if try reader.isArchive(at: first) { return first }
        let isDated = try reader.harName(at: first + 1)?.name == .startedDateTime
        let value = try reader.value(stopsAtLandmark: true)
        if value.innerEntry != nil, value.names.isDisjoint(with: .entryFields) {
            try scanWrappedEntries(from: start)
            return nil
        }
        guard value.hasRequest || isDated else { return value.landmark?.start ?? max(value.resume, reader.offset) }
        reader.offset = first
        try beginBareEntries(at: start)
        try scanEntries(closing: UInt8(ascii: "]"))
        return nil
    }

    /// Reads the entries in a document or an array that also contains other values.
    private func scanWrappedEntries(from start: Int) throws(HARError) {
        try beginBareEntries(at: start)
        note(.wrappedEntry, at: start)
        reader.offset = start
        pending = []
        try scanWrapper()
        try flush()
    }

    /// Begins an archive of entries without a log, unless the previous entries have no log either.
    private func beginBareEntries(at start: Int) throws(HARError) {
        if archives.last?.isBare == true { return }
        try begin(at: start)
        archives[archives.count - 1].isBare = true
        archives[archives.count - 1].fields.append(nil)
        note(.bareEntries, at: start)
    }

    private func read(_ leading: [(name: JSONString, offset: Int)], to list: FieldList) throws(HARError) {
        for (name, offset) in leading {
            reader.offset = offset
            _ = try readField(name, to: list)
        }
    }

    // MARK: Fields

    /// Reads the members of a log.
    ///
    /// - Returns: Whether the log has a closing brace.
    func scanLog() throws(HARError) -> Bool {
        var isSeparated = true
        var followsBrokenText = false
        while let byte = try reader.nextByte() {
            let offset = reader.offset
            switch byte {
            case UInt8(ascii: ","):
                if isSeparated, !followsBrokenText { note(.extraComma, at: offset) }
                (isSeparated, followsBrokenText) = (true, false)
                reader.offset += 1
            case UInt8(ascii: "}"):
                if isSeparated, !followsBrokenText, !archives[archives.count - 1].fields.isEmpty {
                    note(.extraComma, at: offset)
                }
                reader.offset += 1
                return true
            case UInt8(ascii: "]"):
                note(.extraBracket, at: offset)
                reader.offset += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                note(.missingBracket, at: offset)
                return false
            default:
                followsBrokenText = try !readLogField(isSeparated: isSeparated)
                isSeparated = followsBrokenText
            }
        }
        note(.missingEnd, at: reader.size)
        return false
    }

    /// Reads a member of a log.
    ///
    /// - Returns: Whether a comma must follow it: false after broken text and before a log in this log.
    private func readLogField(isSeparated: Bool) throws(HARError) -> Bool {
        let offset = reader.offset
        guard let name = try reader.name() else {
            try skipField(from: offset, nil)
            return false
        }
        if !isSeparated { note(.missingComma, at: offset) }
        let next = try reader.nextByte()
        let isOpening = next == UInt8(ascii: "[") || next == UInt8(ascii: "{")
        if name == "log", next == UInt8(ascii: "{"), !archives[archives.count - 1].hasEntries {
            // Only the braces around a log in a log are removed.
            note(.surroundingText, at: offset)
            reader.offset += 1
            return false
        }
        guard isOpening, name == "entries" || MisspelledEntries.isMisspelled(name.text) else {
            if next == nil {
                try markBroken(offset..<reader.size, as: .field, isIncomplete: true)
                return false
            }
            if next == UInt8(ascii: ",") || next == UInt8(ascii: "}") {
                note(.missingValue, at: reader.offset)
                return true
            }
            guard let value = try readField(name, to: \.fields) else { return true }
            try skipField(from: offset, value)
            return false
        }
        if name != "entries" { note(.wrongType, "Corrected the name of `entries`.", in: "entries", at: offset) }
        let index = archives.count - 1
        if archives[index].hasEntries { note(.repeatedEntries, at: offset) } else { archives[index].fields.append(nil) }
        let start = reader.offset
        if next == UInt8(ascii: "{"), try isEntry(at: start) {
            note(.missingBracket, at: start)
            try scanEntries(closing: UInt8(ascii: "]"))
            return true
        }
        if next == UInt8(ascii: "{") {
            let message = "Converted `entries` from an object to an array of its values, without their names."
            note(.wrongType, message, in: "entries", at: start)
        }
        reader.offset = start + 1
        try scanEntries(closing: next == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        return true
    }

    /// Returns whether an object is an entry rather than an object that contains entries.
    private func isEntry(at offset: Int) throws(HARError) -> Bool {
        defer { reader.offset = offset }
        if try reader.harName(at: offset + 1)?.name == .startedDateTime { return true }
        return try reader.value(stopsAtLandmark: true).hasRequest
    }

    /// Reads the members of a document after its log.
    private func scanDocumentEnd() throws(HARError) {
        var isSeparated = false
        while let byte = try reader.nextByte() {
            switch byte {
            case UInt8(ascii: ","): skipComma(&isSeparated)
            case UInt8(ascii: "}"):
                if isSeparated { note(.extraComma, at: reader.offset) }
                reader.offset += 1
                return
            case UInt8(ascii: "]"):
                note(.extraBracket, at: reader.offset)
                reader.offset += 1
            default:
                let offset = reader.offset
                guard let name = try reader.name() else {
                    if try reader.endsInName(at: offset) {
                        try markBroken(offset..<reader.size, as: .field, isIncomplete: true)
                        reader.offset = reader.size
                        continue
                    }
                    note(.missingBracket, at: offset)
                    reader.offset = offset
                    return
                }
                if !isSeparated { note(.missingComma, at: offset) }
                isSeparated = false
                let next = try reader.nextByte()
                if name == "log", next == UInt8(ascii: "{") {
                    try begin(at: offset)
                    reader.offset += 1
                    guard try scanLog() else { return }
                } else if Self.logNames.contains(name.text), !archives[archives.count - 1].hasEntries {
                    // The log was closed before its entries.
                    note(.extraBracket, at: offset)
                    reader.offset = offset
                    guard try scanLog() else { return }
                } else if let value = try readField(name, to: \.documentFields), value.failure != nil {
                    try skipField(from: offset, value)
                    isSeparated = true
                }
            }
        }
        note(.missingEnd, at: reader.size)
    }
}
