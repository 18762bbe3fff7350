import HTTPArchive

/// Reading entries.
extension ArchiveScan {
    /// Reads entries up to the end of their list.
    ///
    /// - Parameter closing: The closing bracket, which is a brace if the entries are the values of an object, or nil
    ///   for entries without a list.
    /// - Throws: `limitExceeded` or `unreadableFile`.
    func scanEntries(closing: UInt8?) throws(HARError) {
        pending = []
        var isSeparated = true
        while let byte = try reader.nextByte() {
            let offset = reader.offset
            switch byte {
            case UInt8(ascii: ","): skipComma(&isSeparated)
            case UInt8(ascii: "{"):
                if try reader.isArchive(at: offset) {
                    try flush()
                    if closing != nil { note(.missingBracket, at: offset) }
                    return
                }
                if closing == nil, try !isBareEntry(at: offset) { return try flush() }
                switch try scanEntry(isSeparated: isSeparated || closing == nil) {
                case .entry: isSeparated = false
                case .brokenText: isSeparated = true
                case .archive:
                    if closing != nil { note(.missingBracket, at: offset) }
                    return
                }
            case UInt8(ascii: "["):
                if closing == nil { return try flush() }
                reader.offset += 1
                if try reader.nextByte() == UInt8(ascii: "{") {
                    note(.extraBracket, at: offset)
                } else if try !skipForeignText(at: offset) {
                    isSeparated = try skipBroken(at: offset)
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if closing == nil { return try flush() }
                let end = try end(at: offset, closing: closing)
                reader.offset = offset
                switch end {
                case .list:
                    if isSeparated, !pending.isEmpty { note(.extraComma, at: offset) }
                    try flush()
                    if byte == closing { reader.offset += 1 } else { note(.missingBracket, at: offset) }
                    return
                case .stray:
                    note(.extraBracket, at: offset)
                    reader.offset += 1
                case .broken: _ = try skipBroken(at: offset)
                }
            default:
                if closing == UInt8(ascii: "}"), try reader.name() != nil { continue }
                if closing == nil { return try flush() }
                if try isLogField(at: offset) {
                    try flush()
                    return note(.missingBracket, at: offset)
                }
                if try skipNull() {
                    isSeparated = false
                } else if try !skipForeignText(at: offset) {
                    isSeparated = try skipBroken(at: offset)
                }
            }
        }
        try flush()
        if closing != nil { note(.missingEnd, at: reader.size) }
    }

    /// Skips an element that is null, and returns whether there was one.
    private func skipNull() throws(HARError) -> Bool {
        let start = reader.offset
        let value = try reader.value()
        if value.failure == nil, value.range.count < 10, case .null? = try reader.json(value)?.value {
            let next = try reader.nextByte()
            if next == UInt8(ascii: ",") || next == UInt8(ascii: "]") {
                note(.nullField, at: start)
                if broken.isEmpty { nullCount += 1 }
                return true
            }
        }
        reader.offset = start
        return false
    }

    private func isBareEntry(at offset: Int) throws(HARError) -> Bool {
        if let opening, try reader.starts(with: opening, at: offset + 1) { return true }
        let value = try reader.value()
        reader.offset = offset
        return value.hasRequest || pending.isEmpty && entries.last?.archive != Int32(archives.count - 1)
    }

    /// The object at the position of an entry.
    enum Found { case entry, archive, brokenText }

    /// Reads an object.
    func scanEntry(isSeparated: Bool) throws(HARError) -> Found {
        let offset = reader.offset
        let value = try reader.value()
        if value.isArchive {
            try flush()
            reader.offset = offset
            return .archive
        }
        var range = value.range
        if value.failure != nil {
            guard let end = try endBeforeBoundary(of: value) else {
                try skipBrokenEntry(value)
                return .brokenText
            }
            range = offset..<end
            reader.offset = end
        } else if value.innerEntry != nil {
            if value.names.isDisjoint(with: .entryFields) {
                try flush()
                note(.wrappedEntry, at: offset)
                reader.offset = offset
                try scanWrapper()
                return .entry
            }
            guard try isFollowedByElement() else {
                try skipBrokenEntry(value)
                return .brokenText
            }
        }
        if opening == nil { opening = try reader.opening(at: offset) }
        if !isSeparated { note(.missingComma, at: offset) }
        let entry = Entry(
            start: offset, size: UInt32(clamping: range.count), archive: Int32(clamping: archives.count - 1),
            isEdited: value.isEdited || value.failure != nil, names: value.names)
        if isComplete(entry) { try flush() }
        pending.append(entry)
        return .entry
    }

    private func skipBrokenEntry(_ value: LenientReader.Value) throws(HARError) {
        if failure == nil {
            if case .invalid(let expected)? = value.failure {
                failure = (value.range.upperBound, expected)
            } else if let entry = value.innerEntry {
                failure = (entry, "a closing bracket")
            }
        }
        limitFailure = limitFailure ?? reader.limitError(value)
        _ = try skipBroken(at: value.range.lowerBound, value)
    }

    /// Whether an entry has the fields of an entry, or no entry of the file has them.
    func isComplete(_ entry: Entry) -> Bool { entry.hasRequest || !needsRequest }

    // MARK: The end of a list

    private enum End { case list, stray, broken }

    /// Determines whether a bracket closes the list of entries.
    private func end(at offset: Int, closing: UInt8?) throws(HARError) -> End {
        let changeCount = changes.count
        defer { discardChanges(after: changeCount) }
        let isBracket = try reader.nextByte() == UInt8(ascii: "]")
        reader.offset = offset + 1
        var next = try reader.nextByte()
        while next == UInt8(ascii: ",") {
            reader.offset += 1
            next = try reader.nextByte()
        }
        let areComplete = pending.allSatisfy(isComplete)
        if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") {
            switch try textAfterBrackets(from: offset) {
            case .entry: return areComplete ? .stray : .broken
            case .entryField: return .broken
            case .other: break
            }
            // A brace before the bracket that closes the list.
            if !isBracket, closing == UInt8(ascii: "]"), areComplete, brackets.last ?? 0 > offset { return .stray }
        }
        switch next {
        case nil: return .list
        case UInt8(ascii: "{"):
            if try reader.isArchive(at: reader.offset) { return .list }
            return areComplete ? .stray : .broken
        case UInt8(ascii: "}"): return .list
        case UInt8(ascii: "]"): return isBracket ? .list : areComplete ? .stray : .broken
        default:
            if try isLogField(at: reader.offset) { return .list }
            if closing == nil { return .list }
            let isName = try reader.name() != nil
            return areComplete && !isName ? .list : .broken
        }
    }

    /// Returns whether a name at an offset is the name of a field that follows the entries.
    private func isLogField(at offset: Int) throws(HARError) -> Bool {
        let changeCount = changes.count
        defer { discardChanges(after: changeCount) }
        reader.offset = offset
        let name = try reader.name()?.text
        reader.offset = offset
        guard let name else { return false }
        return Self.logNames.contains(name)
            || !HAR.fieldNames.contains(name) && name.hasPrefix("_")
                && (pending.count != 1 || pending[0].names.contains(.response))
    }
}
