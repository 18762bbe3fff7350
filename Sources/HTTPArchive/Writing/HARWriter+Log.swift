public import Foundation

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
        for event in log.withEntriesMember.events {
            if event == .endEntries { try appendEntries() }
            try write(event)
        }
    }
}

extension HAR.Log {
    /// The log with `entries` at its end where it has none.
    fileprivate var withEntriesMember: HAR.Log {
        var log = self
        if !fields.members.contains(where: { $0.name == "entries" && $0.value == [] }) {
            log.fields.members.append(JSONObject.Member(name: "entries", value: []))
        }
        return log
    }
}

extension HAR.Log {
    /// The parts of the archive in their order, as a file has them.
    var events: [HAREvent] {
        var parts = fields
        if !entries.isEmpty, !parts.members.contains(where: { $0.name == "entries" && $0.value == [] }) {
            parts["entries"] = []
        }
        let entryEvents = [.beginEntries] + entries.map(HAREvent.entry) + [.endEntries]
        let log = [.beginLog] + Self.events(of: parts, with: entryEvents, inPlaceOf: ("entries", [])) + [.endLog]
        var document = documentFields
        if !document.members.contains(where: { $0.name == "log" && $0.value == [:] }) {
            document.members.insert(JSONObject.Member(name: "log", value: [:]), at: 0)
        }
        return Self.events(of: document, with: log, inPlaceOf: ("log", [:]))
    }

    /// The members of an object, others in place of the first that only keeps their place.
    private static func events(
        of object: JSONObject, with events: [HAREvent], inPlaceOf place: (name: JSONString, value: JSONValue)
    ) -> [HAREvent] {
        let members = object.members
        let index = members.firstIndex { $0.name == place.name && $0.value == place.value }
        return members.enumerated().flatMap { $0 == index ? events : [.field($1)] }
    }

    /// Writes the archive to a file, which takes the place of one that is there once it is whole.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the writer; the default ones unless given.
    /// - Throws: `unwritableFile`.
    /// - Complexity: O(*n*) in the size of the archive.
    public func write(
        to url: URL, configuration: HARWriter.Configuration = HARWriter.Configuration()
    ) throws(HARError) {
        let writer = try HARWriter(to: url, configuration: configuration)
        for event in events { try writer.write(event) }
        try writer.finish()
    }
}
