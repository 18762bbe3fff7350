package import HTTPArchive

/// A location in an archive where names and values are planted, in one encoding.
package struct PlantPlace: Sendable {
    /// The name in reports.
    package let name: String

    /// The encoding of the text that contains the names and values.
    package var encoding = PlantEncoding.plain

    /// The characters that are permitted in values.
    var alphabet = PlantAlphabet.any

    /// A function that returns whether the location permits a name.
    var permits: @Sendable (String) -> Bool = { _ in true }

    /// The maximum number of names and values in one entry.
    package var batch = 1000

    /// Whether harmless values are also planted.
    var hasDecoys = true

    /// Whether redaction replaces only the values and no surrounding text.
    var isExact = true

    /// Whether values with ambiguous names are also planted.
    var hasAmbiguousNames = true

    /// The part of the entry.
    package var part = Part.other

    /// A function that returns the entry with the names and values.
    package let entry: @Sendable ([Plant]) -> HAR.Entry

    /// The parts of an entry.
    package enum Part: Sendable {
        /// Sent to the server.
        case request

        /// Received from the server.
        case response

        /// Written by the tool that recorded the entry.
        case other
    }

    /// The name and the encoding.
    package var title: String { encoding == .plain ? name : "\(name), \(encoding)" }

    /// The secrets for the location, as one list for each entry.
    package var secrets: [[Plant]] {
        let names = Plant.secretNames + (hasAmbiguousNames ? Plant.ambiguousNames : [])
        let plants = Plant.secrets(names.filter(permits), in: title, alphabet)
        return stride(from: 0, to: plants.count, by: batch).map { Array(plants[$0..<min($0 + batch, plants.count)]) }
    }

    /// The harmless names and values for the location.
    package var decoys: [Plant] { hasDecoys ? Plant.decoys.filter { permits($0.name) } : [] }

    /// All locations.
    package static let all = groups.flatMap(\.places)

    /// All locations, by part of the archive.
    package static let groups: [(name: String, places: [PlantPlace])] = [
        ("Header fields", headers), ("Cookies", cookies),
        ("URLs, queries and redirects", urls.filter { !$0.name.hasPrefix("path of ") }),
        ("URL paths of webhooks, bots and links in email", urls.filter { $0.name.hasPrefix("path of ") }),
        ("Request bodies", bodies.filter { $0.part == .request }),
        ("Response bodies: XML and HTML", received { $0.isMarkup }),
        ("Response bodies: JSON", received { !$0.isMarkup && $0.name.contains("JSON") }),
        ("Response bodies: other", received { !$0.isMarkup && !$0.name.contains("JSON") }),
        ("WebSocket messages and event streams", fields.filter { $0.isMessage }),
        ("Comments and custom fields", fields.filter { !$0.isMessage }),
    ]

    private static func received(_ isIncluded: (PlantPlace) -> Bool) -> [PlantPlace] {
        bodies.filter { $0.part == .response && isIncluded($0) }
    }

    private static let markup = (PlantSyntax.xmlSyntaxes + PlantSyntax.htmlSyntaxes).map { ", \($0.name)" }

    private var isMarkup: Bool { Self.markup.contains(where: name.hasSuffix) }

    private var isMessage: Bool { name.hasPrefix("message of") || name.hasPrefix("event of") }
}

extension HAR.Entry {
    /// An entry without secrets.
    static var plain: HAR.Entry {
        HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", time: 1,
            request: HAR.Request(method: "POST", url: "https://a.test/"),
            response: HAR.Response(
                status: 200, statusText: "OK", content: HAR.Content(size: nil, mimeType: "text/plain")),
            timings: HAR.Timings(send: 0, wait: 1, receive: 0))
    }

    /// Returns a modified copy of the plain entry.
    static func changed(_ change: (inout HAR.Entry) -> Void) -> HAR.Entry {
        var entry = plain
        change(&entry)
        return entry
    }

    /// The text of the entry.
    package var plantedText: [UInt8] { [UInt8](JSONValue.object(fields).data(layout: .unchanged)) }
}
