import Foundation
package import HTTPArchive

/// A format in which another tool stores recordings.
package protocol RecordingFormat: Sendable {
    /// The name of the format in `har import --from`.
    static var name: String { get }

    /// Returns whether a file appears to have the format.
    ///
    /// - Parameter file: The file.
    /// - Returns: Whether the file has the main parts of the format. ``entries(of:)`` validates their content.
    static func recognizes(_ file: RecordingFile) -> Bool

    /// Returns the entries of a file. Entries with equal requests are in order of precedence.
    ///
    /// Start times are ascending. Properties that HAR does not define become custom fields, whose names begin with an
    /// underscore.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location, or `unreadableFile` if a body file is
    ///   missing.
    static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry]

    /// Returns the entries of several files, arranged for one archive.
    ///
    /// - Parameter files: The entries of each file, in the order of the files.
    /// - Returns: All entries, in order of precedence and time. The default implementation sorts the entries by time.
    static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry]
}

extension RecordingFormat {
    package static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry] { files.mergedByTime }
}

extension [[HAR.Entry]] {
    /// All entries in chronological order.
    ///
    /// Entries with equal times keep their order.
    package var mergedByTime: [HAR.Entry] {
        let entries = flatMap { $0.map { (date: $0.startedDate ?? .distantPast, entry: $0) } }
        return entries.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element.entry)
    }
}

/// The formats of the libraries that Relay replaces.
package enum RecordingFormats {
    /// All formats, in the order in which messages list them.
    package static let all: [any RecordingFormat.Type] = [
        RelayFolder.self, VinylRecording.self, DVRCassette.self, ResonanceKitMocks.self,
    ]
}

extension [any RecordingFormat.Type] {
    /// Returns the format that a file appears to have, or nil if no format recognizes it.
    ///
    /// - Parameter file: The file.
    /// - Returns: The first format that recognizes the file.
    package func format(of file: RecordingFile) -> (any RecordingFormat.Type)? {
        first { $0.recognizes(file) }
    }
}
