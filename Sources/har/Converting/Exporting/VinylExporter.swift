import HTTPArchive

/// A vinyl of Vinyl: the tracks in the order of the archive.
struct VinylExporter: ArchiveExporter {
    static let name = "vinyl"

    private var isEmpty = true

    init(title: String) {}

    var beginning: String { "[" }
    var end: String { "\n]\n" }

    mutating func text(of exported: ExportedEntry) -> String? {
        guard let track = ExportedTrack(exported) else { return nil }
        defer { isEmpty = false }
        let value: JSONValue = ["request": track.request, "response": track.response]
        return (isEmpty ? "\n" : ",\n") + String(decoding: value.data(), as: UTF8.self)
    }
}
