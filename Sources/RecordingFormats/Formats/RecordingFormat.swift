import Foundation
package import HTTPArchive

/// A way in which another tool keeps what it recorded.
package protocol RecordingFormat: Sendable {
    /// What `har import --from` calls it.
    static var name: String { get }

    /// Whether a file looks like one of the format.
    ///
    /// - Parameter file: The file.
    /// - Returns: Whether the main parts of the format are there; what is wrong in them is found when it is read.
    static func recognizes(_ file: RecordingFile) -> Bool

    /// The entries of a file, in its order of preference: the one that is to be found first, first.
    ///
    /// No entry starts before the one in front of it. What HAR has no place for stands in fields whose names begin with
    /// an underscore.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place; `unreadableFile` where a file with a body is
    ///   missing.
    static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry]

    /// The entries of several files as those of one archive.
    ///
    /// - Parameter files: The entries of each file, in the order of the files.
    /// - Returns: All entries, in order of preference and of time; those of a file stay in their order by default.
    static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry]
}

extension RecordingFormat {
    package static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry] { files.mergedByTime }
}

extension [[HAR.Entry]] {
    /// All entries in the order of their times; those of one time stay in the order of the lists.
    package var mergedByTime: [HAR.Entry] {
        let entries = flatMap { $0.map { (date: $0.startedDate ?? .distantPast, entry: $0) } }
        return entries.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element.entry)
    }
}

/// The formats that are known.
package enum RecordingFormats {
    /// All formats, in the order in which messages name them.
    package static let all: [any RecordingFormat.Type] = [
        RelayFolder.self, VinylRecording.self, DVRCassette.self, ResonanceKitMocks.self, InnernetConsole.self,
        VCRCassette.self, VCRPyCassette.self, PollyRecording.self, WireMockMappings.self, ReplayArchive.self,
        MitmproxyFlows.self,
    ]

    /// The format that a file looks like; `nil` where it looks like none.
    ///
    /// - Parameter file: The file.
    /// - Returns: The first format that recognizes it.
    package static func format(of file: RecordingFile) -> (any RecordingFormat.Type)? {
        all.first { $0.recognizes(file) }
    }
}
