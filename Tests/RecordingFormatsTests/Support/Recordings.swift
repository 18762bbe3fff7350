import Foundation
import HTTPArchive
import RecordingFormats

/// The sample recordings, in one folder per format.
enum Recordings {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Recordings").standardizedFileURL

    /// All recordings except those in YAML, each with the name of its format.
    static let all: [(name: String, kind: String)] = [
        ("relay/GET-example.com-en-products-locale=en-US_158b6f96fcfd7add.json", "relay"),
        ("relay/GET-example.com-logo.png_be3c53cd64c8bfe8.json", "relay"), ("vinyl/vinyl_single.json", "vinyl"),
        ("dvr/json-example.json", "dvr"), ("resonancekit/Mocks/Api/People.json", "resonancekit"),
        ("innernet-console/console.ndjson", "innernet-console"), ("vcr/shop.json", "vcr"),
        ("vcrpy/shop.json", "vcrpy"), ("polly/recording.har", "polly"), ("wiremock/mappings/items.json", "wiremock"),
        ("wiremock/mappings/several.json", "wiremock"), ("replay/fetchUser.har", "replay"),
        ("mitmproxy/one.har", "mitmproxy"), ("../flows", "mitmproxy"),
    ]

    /// Reads a recording.
    static func file(_ name: String) throws -> RecordingFile {
        try RecordingFile(contentsOf: folder.appendingPathComponent(name), below: folder)
    }

    /// Returns the entries of a recording.
    static func entries(_ name: String, of format: any RecordingFormat.Type) throws -> [HAR.Entry] {
        try format.entries(of: file(name))
    }
}
