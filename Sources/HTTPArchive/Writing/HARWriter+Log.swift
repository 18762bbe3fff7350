public import Foundation

extension HARWriter {
    /// Writes a log and calls a closure that appends the entries.
    ///
    /// Use this method with ``HARArchive`` to rewrite an archive with only some of its entries, or in another order.
    /// Memory use is proportional to the largest entry. Call ``finish()`` afterward.
    ///
    /// - Parameters:
    ///   - log: The log. Its fields keep their order. If it has entries, they precede the appended ones.
    ///   - appendEntries: A closure that appends the entries to this writer.
    /// - Throws: Errors thrown by `appendEntries`; `unwritableFile`; `invalidOrder` if something has already been
    ///   written.
    public func write(_ log: HAR.Log, entries appendEntries: () throws(HARError) -> Void) throws(HARError) {
        var log = log
        if !log.fields.members.contains(.entries) { log.fields.members.append(.entries) }
        for event in log.events {
            if event == .endEntries { try appendEntries() }
            try write(event)
        }
    }
}

extension JSONObject.Member {
    /// The field that marks the position of the entries in a log.
    fileprivate static let entries = Self(name: "entries", value: [])

    /// The field that marks the position of the log in a document.
    fileprivate static let log = Self(name: "log", value: [:])
}

extension HAR.Log {
    /// The events of the archive, in file order.
    var events: [HAREvent] {
        var parts = fields
        if !parts.members.contains(.entries) { parts["entries"] = [] }
        let entryEvents = [.beginEntries] + entries.map(HAREvent.entry) + [.endEntries]
        let log = [.beginLog] + Self.events(of: parts, with: entryEvents, inPlaceOf: .entries) + [.endLog]
        var document = documentFields
        if !document.members.contains(.log) { document.members.insert(.log, at: 0) }
        return Self.events(of: document, with: log, inPlaceOf: .log)
    }

    /// Returns the members of an object as events, replacing the first occurrence of a placeholder with other events.
    private static func events(
        of object: JSONObject, with events: [HAREvent], inPlaceOf placeholder: JSONObject.Member
    ) -> [HAREvent] {
        let members = object.members
        let index = members.firstIndex(of: placeholder)
        return members.enumerated().flatMap { $0 == index ? events : [.field($1)] }
    }

    /// Writes the archive to a file atomically.
    ///
    /// An existing file is replaced.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the writer; default settings if omitted.
    /// - Throws: `unwritableFile`.
    /// - Complexity: O(*n*), where *n* is the size of the archive.
    public func write(
        to url: URL, configuration: HARWriter.Configuration = HARWriter.Configuration()
    ) throws(HARError) {
        let writer = try HARWriter(to: url, configuration: configuration)
        for event in events { try writer.write(event) }
        try writer.finish()
    }
}
