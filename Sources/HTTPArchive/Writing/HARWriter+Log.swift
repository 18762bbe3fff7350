extension HARWriter {
    /// Writes a log whose entries come one by one.
    ///
    /// Together with ``HARArchive`` this writes an archive anew, with some of its entries or in another order, in memory
    /// that follows the largest entry. Call ``finish()`` afterwards.
    ///
    /// - Parameters:
    ///   - log: Everything but the entries, at its places; entries that it has come first.
    ///   - appendEntries: Appends the entries to this writer.
    /// - Throws: What `appendEntries` throws; `unwritableFile`; `invalidOrder` when something was written before.
    public func write(_ log: HAR.Log, entries appendEntries: () throws(HARError) -> Void) throws(HARError) {
        for event in log.withPlaceForEntries.events {
            if event == .endEntries { try appendEntries() }
            try write(event)
        }
    }
}

extension HAR.Log {
    /// The log with `entries` at its end where it has none.
    fileprivate var withPlaceForEntries: HAR.Log {
        var log = self
        if !fields.members.contains(where: { $0.name == "entries" && $0.value == [] }) {
            log.fields.members.append(JSONObject.Member(name: "entries", value: []))
        }
        return log
    }
}
