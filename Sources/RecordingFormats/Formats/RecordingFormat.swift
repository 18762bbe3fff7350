import Foundation
package import HTTPArchive

/// A format of recordings of another tool.
package protocol RecordingFormat: Sendable {
    /// The name of the format in `har import --from`.
    static var name: String { get }

    /// Whether a file looks like the format.
    ///
    /// - Parameter file: The file.
    /// - Returns: Whether the file has the main parts of the format. Their content is checked by ``entries(of:)``.
    static func recognizes(_ file: RecordingFile) -> Bool

    /// Returns the entries of a file, in the order of precedence among entries with equal requests.
    ///
    /// Start times are ascending. Properties that HAR does not have are in fields whose names begin with an underscore.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` and `malformedJSON` with the location; `unreadableFile` if a body file is missing.
    static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry]

    /// Returns the entries of several files in the order of one archive.
    ///
    /// - Parameter files: The entries of each file, in the order of the files.
    /// - Returns: All entries, in the order of precedence and time; by default, entries of a file keep their order.
    static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry]
}

extension RecordingFormat {
    package static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry] { files.mergedByTime }
}

extension [[HAR.Entry]] {
    /// All entries in the order of time, and of the lists for equal times.
    package var mergedByTime: [HAR.Entry] {
        let entries = flatMap { $0.map { (date: $0.startedDate ?? .distantPast, entry: $0) } }
        return entries.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element.entry)
    }
}

/// The supported formats.
package enum RecordingFormats {
    /// All formats, in the order of messages.
    package static let all: [any RecordingFormat.Type] = [
        RelayFolder.self, VinylRecording.self, DVRCassette.self, ResonanceKitMocks.self, InnernetConsole.self,
        VCRCassette.self, VCRPyCassette.self, PollyRecording.self, WireMockMappings.self, ReplayArchive.self,
        MitmproxyFlows.self,
    ]

    /// Returns the format that a file looks like, or nil if there is none.
    ///
    /// - Parameter file: The file.
    /// - Returns: The first format that recognizes it.
    package static func format(of file: RecordingFile) -> (any RecordingFormat.Type)? {
        all.first { $0.recognizes(file) }
    }
}
