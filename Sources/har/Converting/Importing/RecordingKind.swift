import ArgumentParser
import RecordingFormats

/// A kind of recordings as it is named on the command line.
struct RecordingKind: ExpressibleByArgument {
    static var allValueStrings: [String] { RecordingFormats.all.map { $0.name } }

    /// The names of all kinds.
    static var names: String { allValueStrings.joined(separator: ", ") }

    /// The format of the kind.
    let format: any RecordingFormat.Type

    init?(argument: String) {
        guard let format = RecordingFormats.all.first(where: { $0.name == argument }) else { return nil }
        self.format = format
    }
}
