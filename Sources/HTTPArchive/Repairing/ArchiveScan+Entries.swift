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
            case UInt8(ascii: ","):
                if isSeparated { note(.extraComma, at: offset) }
                isSeparated = true
                reader.offset += 1
            case UInt8(ascii: "{"):
                if try isArchive(at: offset) {
                    try flush()
                    if closing != nil { note(.missingBracket, at: offset) }
                    return
                }
                if closing == nil, try !isBareEntry(at: offset) { return try flush() }
                try scanEntry(isSeparated: isSeparated || closing == nil)
                isSeparated = false
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
                case .broken: try skipBroken(at: offset)
                }
            default:
                if closing == UInt8(ascii: "}"), try reader.name() != nil { continue }
                if closing == nil { return try flush() }
                if try isLogField(at: offset) {
                    try flush()
                    return note(.missingBracket, at: offset)
                }
                try skipBroken(at: offset)
                isSeparated = true
            }
        }
        try flush()
        if closing != nil { note(.missingEnd, at: reader.size) }
    }

    private func isBareEntry(at offset: Int) throws(HARError) -> Bool {
        if let first = search.opening, try reader.starts(with: first, at: offset + 1) { return true }
        let value = try reader.value()
        reader.offset = offset
        return value.hasRequest || pending.isEmpty && entries.last?.archive != Int32(archives.count - 1)
    }

    private func scanEntry(isSeparated: Bool) throws(HARError) {
        let offset = reader.offset
        let value = try reader.value()
        try reader.check(value.failure, at: value.range)
        if let stop = value.failure {
            if failure == nil, case .invalid(let expected) = stop { failure = (value.range.upperBound, expected) }
            return try skipBroken(at: offset, isEndOfFile: value.failure == .endOfFile)
        }
        if search.opening == nil { search.opening = try reader.opening(at: offset) }
        if !isSeparated { note(.missingComma, at: offset) }
        let entry = Entry(
            start: offset, size: UInt32(clamping: value.range.count), archive: Int32(clamping: archives.count - 1),
            isEdited: value.isEdited, hasRequest: value.hasRequest)
        if try isComplete(entry) { try flush() }
        pending.append(entry)
    }

    /// Whether an entry has the fields of an entry, or no entry of the file has them.
    private func isComplete(_ entry: Entry) throws(HARError) -> Bool {
        if entry.hasRequest { return true }
        return try !search.needsRequest(reader)
    }

    // MARK: The end of a list

    private enum End { case list, stray, broken }

    /// Determines whether a bracket closes the list of entries.
    private func end(at offset: Int, closing: UInt8?) throws(HARError) -> End {
        let isBracket = try reader.nextByte() == UInt8(ascii: "]")
        reader.offset = offset + 1
        var next = try reader.nextByte()
        while next == UInt8(ascii: ",") {
            reader.offset += 1
            next = try reader.nextByte()
        }
        var areComplete = true
        for entry in pending where try !isComplete(entry) { areComplete = false }
        switch next {
        case nil: return .list
        case UInt8(ascii: "{"):
            if try isArchive(at: reader.offset) { return .list }
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
        reader.offset = offset
        let name = try reader.name()?.text
        reader.offset = offset
        guard let name else { return false }
        return Self.logNames.contains(name)
            || !HAR.fieldNames.contains(name) && name.hasPrefix("_") && pending.count != 1
    }

    // MARK: Broken text

    /// Skips text that is not an entry, up to the next entry, the next archive or the end of the list.
    private func skipBroken(at offset: Int, isEndOfFile: Bool = false) throws(HARError) {
        let kept = try keptCount(before: offset)
        let start = kept < pending.count ? pending[kept].start : offset
        try flush(kept)
        // A single value is not searched for entries.
        reader.offset = offset
        if start == offset, try reader.nextByte() != UInt8(ascii: "{"), case let value = try reader.value(),
            value.failure == nil,
            let next = try reader.nextByte(), next == UInt8(ascii: ",") || next == UInt8(ascii: "]")
        {
            return try markBroken(value.range, isIncomplete: false)
        }
        let next = try search.nextEntry(after: start, reader)
        let end = next ?? reader.size
        let archive = try reader.find(["log"], in: min(start + 1, end)..<end, afterBrace: true)
        let tail = archive != nil || next == nil ? try search.tail(after: start, before: archive ?? end, reader) : nil
        let target = tail ?? archive ?? next ?? reader.size
        let isIncomplete = tail == nil && (archive != nil || next == nil && isEndOfFile)
        try markBroken(start..<target, isIncomplete: isIncomplete)
        reader.offset = target
    }

    /// Returns how many of the pending entries are intact if the text after them is not valid.
    private func keptCount(before offset: Int) throws(HARError) -> Int {
        reader.offset = offset
        switch try reader.nextByte() {
        case UInt8(ascii: "{"): return pending.count
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            // The text is either another member of this entry, or the first member of an entry whose opening bracket
            // is missing.
            if pending.count == 1, case let entry = pending[0], try isComplete(entry) {
                guard let opening = search.opening else { return 0 }
                return try reader.starts(with: opening, at: offset) ? 1 : 0
            }
        default: break
        }
        for (index, entry) in pending.enumerated() where try !isComplete(entry) { return index }
        return pending.count
    }
}
