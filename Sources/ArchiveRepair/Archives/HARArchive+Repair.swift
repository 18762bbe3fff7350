import ArchiveChecking
import HTTPArchive

extension HARArchive {
    /// Returns whether every entry is valid, and neither an entry nor the log needs a repair.
    ///
    /// - Throws: `malformedJSON` for a broken entry; `unreadableFile`.
    func needsNoRepair() throws(HARError) -> Bool {
        try validate()
        var repair = FieldRepair(defaultDate: "")
        _ = repair.repair(log.fields, as: .log)
        _ = repair.cleaned(.object(log.documentFields))
        guard repair.changeCount == 0,
            !log.documentFields.members.contains(where: { $0.name == "log" && $0.value != [:] }),
            log.fields.members.count(where: { $0.name == "entries" }) <= 1, try hasOnlyEntries(),
            try !hasOtherWhitespace()
        else { return false }
        for index in 0..<count {
            guard let node = try entry(at: index).fields.node else { return false }
            guard !FieldCheck.conforms(node, as: .entry) else { continue }
            _ = repair.repair(JSONObject(node: node), as: .entry)
            if repair.changeCount > 0 { return false }
        }
        return true
    }

    /// Returns whether an entry may refer to a body file.
    ///
    /// - Throws: `unreadableFile`.
    func mayHaveBodyFiles() throws(HARError) -> Bool {
        for index in 0..<count where BodyReference.mayOccur(in: try text(at: index)) { return true }
        return false
    }

    /// Returns whether every element of `entries` is an object.
    ///
    /// - Throws: `unreadableFile`.
    private func hasOnlyEntries() throws(HARError) -> Bool {
        let end = indexed.entriesRange.upperBound
        let reader = LenientReader(file, size: end, limits: indexed.neededLimits)
        var start = indexed.entriesRange.lowerBound
        for index in 0..<count {
            let entry = byteRange(at: index)
            guard try reader.skipSeparators(from: start) == entry.lowerBound else { return false }
            start = entry.upperBound
        }
        return try reader.skipSeparators(from: start) == end
    }

    /// Returns whether the file contains whitespace that the parsers accept and JSON does not allow.
    ///
    /// - Throws: `unreadableFile`.
    private func hasOtherWhitespace() throws(HARError) -> Bool {
        let reader = LenientReader(file, size: file.size ?? 0, limits: indexed.neededLimits)
        if try reader.contains([0x0B]) { return true }
        return try reader.contains([0x0C])
    }
}
