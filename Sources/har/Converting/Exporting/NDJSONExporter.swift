import HTTPArchive

/// The entries as they stand, one a line (https://github.com/ndjson/ndjson-spec).
struct NDJSONExporter: ArchiveExporter {
    static let name = "ndjson"

    init(title: String) {}

    func text(of exported: ExportedEntry) -> String? {
        String(decoding: JSONValue.object(exported.entry.fields).data(), as: UTF8.self) + "\n"
    }
}
