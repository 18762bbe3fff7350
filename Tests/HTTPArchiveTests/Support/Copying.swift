import Foundation
import HTTPArchive

/// Ways to copy an archive with a reader and a writer.
enum Copying {
    /// Copies an archive event by event.
    ///
    /// `change` returns the event to write for each event read.
    static func copy(
        _ document: some Collection<UInt8>, layout: JSONLayout = .unchanged, in folder: TemporaryFolder,
        change: (HAREvent) -> HAREvent = { $0 }
    ) throws -> [UInt8] {
        let file = folder.file("copy-\(UUID().uuidString).har")
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        let reader = HARReader(data: Data(document))
        let writer = try HARWriter(to: file, configuration: configuration)
        while let event = try reader.nextEvent() { try writer.write(change(event)) }
        try writer.finish()
        return [UInt8](try Data(contentsOf: file))
    }

    /// Writes events, and returns the bytes of the file.
    static func text(of events: [HAREvent], in folder: TemporaryFolder) throws -> [UInt8] {
        let file = folder.file("text-\(UUID().uuidString).har")
        let writer = try HARWriter(to: file)
        for event in events { try writer.write(event) }
        try writer.finish()
        return [UInt8](try Data(contentsOf: file))
    }

    /// Returns the bytes of each entry in a document.
    static func entryTexts(_ document: [UInt8]) throws -> [ArraySlice<UInt8>] {
        try ReferenceJSON(parsing: document).entries.map { document[$0.range] }
    }
}
