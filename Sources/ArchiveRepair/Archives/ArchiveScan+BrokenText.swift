import ArchiveChecking
import HTTPArchive

/// Skipping text that cannot be read.
extension ArchiveScan {
    /// The text at which reading continues after broken text.
    enum Landing {
        case entry(Int)

        /// Another archive. The archive before it is truncated.
        case archive(Int)

        /// The bracket that closes the entries.
        case end(Int)

        /// A field of the log.
        case field(Int)

        case endOfFile
    }

    /// Skips text that is not an entry, up to the next entry, the next archive or the end of the list.
    ///
    /// - Parameters:
    ///   - offset: The offset of the text.
    ///   - value: The object that cannot be read, or nil for other text.
    /// - Returns: Whether no comma must follow: false after an element that is not an object.
    /// - Throws: `limitExceeded` or `unreadableFile`.
    func skipBroken(at offset: Int, _ value: LenientReader.Value? = nil) throws(HARError) -> Bool {
        let kept = try keptCount(before: offset)
        let start = kept < pending.count ? pending[kept].start : offset
        try flush(kept)
        reader.offset = offset
        if value == nil, start == offset, let scalar = try separatedValue() {
            if failure == nil { failure = (scalar.lowerBound, "an object") }
            try markBroken(scalar, as: .element)
            return false
        }
        let landing =
            if let value { try landing(after: value) } else { try landing(from: offset, depth: 0) }
        try mark(start, as: .entry, landing, isEndOfFile: value?.failure == .endOfFile)
        return true
    }

    /// Returns the range of a value that is followed by another element or the end of the list, or nil.
    private func separatedValue() throws(HARError) -> Range<Int>? {
        let value = try reader.value()
        guard value.failure == nil, value.landmark == nil else { return nil }
        let next = try reader.nextByte()
        return next == UInt8(ascii: ",") || next == UInt8(ascii: "]") ? value.range : nil
    }

    /// Returns how many of the pending entries are intact if the text after them is not valid.
    private func keptCount(before offset: Int) throws(HARError) -> Int {
        reader.offset = offset
        switch try reader.nextByte() {
        case UInt8(ascii: "{"): return pending.count
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            // The text is either another member of this entry, or the first member of an entry whose opening bracket
            // is missing.
            if pending.count == 1, isComplete(pending[0]), !pending[0].names.contains(.response) {
                guard let opening else { return 0 }
                return try reader.starts(with: opening, at: offset) ? 1 : 0
            }
        default: break
        }
        return pending.firstIndex { !isComplete($0) } ?? pending.count
    }

    /// Skips a broken field, up to the next field of a log, the next entry or the next archive.
    ///
    /// - Parameters:
    ///   - offset: The offset of the field.
    ///   - value: The value that cannot be read, or nil if the name cannot be read.
    /// - Throws: `limitExceeded` or `unreadableFile`.
    func skipField(from offset: Int, _ value: LenientReader.Value?) throws(HARError) {
        if failure == nil, let value, case .invalid(let expected)? = value.failure {
            failure = (value.range.upperBound, expected)
        }
        if value == nil, try isNameWithoutStart(at: offset) {
            note(.missingComma, at: offset)
            reader.offset = offset - 1
            return
        }
        var landing =
            if let value {
                try landing(after: value, acceptsFields: true)
            } else {
                try landing(from: offset, depth: 0, acceptsFields: true)
            }
        // The bracket closes this field.
        if case .end(let bracket) = landing { landing = .field(bracket + 1) }
        let isEndOfFile = if let value { value.failure == .endOfFile } else { try reader.endsInName(at: offset) }
        try mark(offset, as: .field, landing, isEndOfFile: isEndOfFile)
    }

    /// Returns whether the quotation mark before an offset is the opening one of a name.
    ///
    /// This is so if the string before the name has no closing quotation mark.
    private func isNameWithoutStart(at offset: Int) throws(HARError) -> Bool {
        guard offset > 0 else { return false }
        reader.offset = offset - 1
        guard let byte = try reader.peek(1).first, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
            let name = try reader.harName(at: offset - 1)
        else { return false }
        return !name.name.isDisjoint(with: .logFields)
    }

    /// Marks broken text, and continues after it.
    private func mark(
        _ start: Int, as part: BrokenText.Part, _ landing: Landing, isEndOfFile: Bool
    ) throws(HARError) {
        let (target, isIncomplete) =
            switch landing {
            case .entry(let offset), .end(let offset), .field(let offset): (offset, false)
            case .archive(let offset): (offset, true)
            case .endOfFile: (reader.size, isEndOfFile)
            }
        try markBroken(start..<target, as: part, isIncomplete: isIncomplete)
        reader.offset = target
    }

    // MARK: Searching

    private func landing(
        after value: LenientReader.Value, acceptsFields: Bool = false
    ) throws(HARError) -> Landing {
        if let landmark = value.landmark, landmark.start > value.range.lowerBound {
            return landmark.isArchive ? .archive(landmark.start) : .entry(landmark.start)
        }
        return try landing(from: value.resume, depth: value.depth, acceptsFields: acceptsFields)
    }

    /// Finds the next text that can be read.
    ///
    /// - Parameters:
    ///   - start: The offset of the text to search.
    ///   - depth: The number of containers of the broken text that are not closed before this offset.
    ///   - acceptsFields: Whether to find fields of the log; false by default.
    /// - Returns: The text that can be read.
    /// - Throws: `unreadableFile`.
    private func landing(
        from start: Int, depth: Int, acceptsFields: Bool = false
    ) throws(HARError) -> Landing {
        let changeCount = changes.count
        defer { discardChanges(after: changeCount) }
        let quote = opening?.first ?? UInt8(ascii: "\"")
        var depth = depth
        reader.offset = start
        while let byte = try reader.skipToStructure(orQuote: acceptsFields) {
            let offset = reader.offset
            reader.offset = offset + 1
            switch byte {
            case UInt8(ascii: "{"):
                // In strings, quotation marks are escaped.
                guard try reader.starts(with: [quote], at: offset + 1) else {
                    depth += 1
                    continue
                }
                if try reader.isArchive(at: offset) { return .archive(offset) }
                if let landing = try landing(at: offset, depth: &depth) { return landing }
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"):
                if try isEnd(at: offset, depth: depth) { return .end(offset) }
                depth -= 1
                reader.offset = offset + 1
            case UInt8(ascii: "}"): depth -= 1
            default:
                guard let name = try reader.harName(at: offset) else { continue }
                let isOpening = name.next == UInt8(ascii: "[") || name.next == UInt8(ascii: "{")
                if name.name == .entries ? isOpening : depth <= 0 && !name.name.isDisjoint(with: .logFields) {
                    return .field(offset)
                }
            }
        }
        return .endOfFile
    }

    /// Tries an object, and moves to the text after it unless it is an entry or an archive.
    private func landing(at offset: Int, depth: inout Int) throws(HARError) -> Landing? {
        let isFirst = if let opening { try reader.starts(with: opening, at: offset + 1) } else { false }
        reader.offset = offset
        let value = try reader.value()
        if value.isArchive { return .archive(offset) }
        guard value.failure == nil else {
            if isFirst { return .entry(offset) }
            if let landmark = value.landmark {
                return landmark.isArchive ? .archive(landmark.start) : .entry(landmark.start)
            }
            depth += value.depth
            reader.offset = value.resume
            return nil
        }
        if !value.hasRequest, let entry = value.innerEntry { return .entry(entry) }
        if value.hasRequest || depth <= 0 && (isFirst || !needsRequest) { return .entry(offset) }
        return nil
    }

    // MARK: The end of the entries

    /// Returns whether a bracket is followed only by fields of the log and the document, and by closing braces.
    func isEnd(at bracket: Int, depth: Int) throws(HARError) -> Bool {
        guard bracket >= triedEnd else { return false }
        reader.offset = bracket + 1
        defer { triedEnd = reader.offset }
        var closed = 0
        while closed < 2 {
            guard let byte = try reader.nextByte() else { return depth <= 0 }
            switch byte {
            case UInt8(ascii: ","): reader.offset += 1
            case UInt8(ascii: "}"):
                closed += 1
                reader.offset += 1
            default:
                // If fields of an entry follow a bracket, it does not close `entries`.
                guard let name = try reader.name()?.text, !HAR.fieldNames.contains(name) || isLogName(name),
                    try reader.nextByte() != nil
                else { return false }
                let value = try reader.value()
                if value.failure != nil {
                    reader.offset = value.resume
                    return false
                }
            }
        }
        return try reader.isOutsideArchive()
    }

    private func isLogName(_ name: String) -> Bool { Self.logNames.contains(name) }
}

extension LenientReader {
    /// Returns whether the next text is not part of an archive, or begins another one.
    fileprivate func isOutsideArchive() throws(HARError) -> Bool {
        let end = offset
        defer { offset = end }
        guard let byte = try nextByte() else { return true }
        if byte == UInt8(ascii: ",") { offset += 1 }
        if try nextByte() == UInt8(ascii: "{") { return try isArchive(at: offset) }
        // Archives can be the elements of an array.
        if byte == UInt8(ascii: "]") { offset += 1 }
        return try !peek(256).contains { "]}\"".utf8.contains($0) }
    }
}
