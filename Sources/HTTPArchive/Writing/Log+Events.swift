public import Foundation

extension HAR.Log {
    /// Reads a whole archive into memory.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the default ones unless given.
    /// - Throws: As ``HARReader/nextEntry()`` does.
    /// - Complexity: O(*n*) in the size of the file, in time and memory.
    public init(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration()
    ) throws(HARError) {
        try self.init(HARReader(contentsOf: url, configuration: configuration))
    }

    /// Reads a whole archive from memory.
    ///
    /// - Parameters:
    ///   - data: The text of the archive.
    ///   - configuration: The settings of the reader; the default ones unless given.
    /// - Throws: As ``HARReader/nextEntry()`` does.
    /// - Complexity: O(*n*) in the size of the text.
    public init(
        data: Data, configuration: HARReader.Configuration = HARReader.Configuration()
    ) throws(HARError) {
        try self.init(HARReader(data: data, configuration: configuration))
    }

    /// Reads the rest of an archive.
    private init(_ reader: HARReader) throws(HARError) {
        var entries: [HAR.Entry] = []
        while let entry = try reader.nextEntry() { entries.append(entry) }
        self = reader.log
        self.entries = entries
    }

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
