import Foundation
package import HTTPArchive

/// Stub mappings of WireMock: a file for each, or several in a member `mappings`.
///
/// Source: https://wiremock.org/docs/stubbing/, https://wiremock.org/docs/request-matching/
package enum WireMockMappings: RecordingFormat {
    package static let name = "wiremock"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let value = file.value else { return false }
        if let mappings = value["mappings"]?.array { return mappings.allSatisfy(isMapping) }
        return isMapping(value)
    }

    private static func isMapping(_ value: JSONValue) -> Bool {
        guard let request = value["request"]?.object, value["response"]?.object != nil else { return false }
        let names = ["method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "urlPathMatching"]
        return names.contains { request[$0] != nil } && request["uri"] == nil && value["response"]?["url"] == nil
    }

    /// The mappings in WireMock's order of preference: by priority, and the later ones first.
    ///
    /// Those of a scenario stay in their order. What a mapping asks of requests beside equal method, URL, query,
    /// header fields and body stands in `_` fields of the request, as do patterns of URLs, of which the URL is the part
    /// that is no pattern.
    ///
    /// - Parameter file: The file; bodies in files are looked for in the folder `__files` beside that of the mappings.
    /// - Returns: An entry for each mapping.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place; `unreadableFile` where the file of a body is
    ///   missing.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let mappings = content["mappings"]
        // What the server lists has the latest first already.
        let isListing = content["meta"] != nil
        var entries: [(rank: (Int, Int, Int), entry: HAR.Entry)] = []
        for (index, mapping) in try (mappings?.elements() ?? [content]).enumerated() {
            let priority = try mapping["priority"]?.int() ?? defaultPriority
            let isOfScenario = mapping["scenarioName"] != nil
            let rank = (priority, isOfScenario ? 0 : 1, isOfScenario || isListing ? index : -index)
            entries.append((rank, try WireMockStub(mapping, in: file).exchange.entry))
        }
        return entries.sorted { $0.rank < $1.rank }.map(\.entry)
    }

    /// The entries by priority, and those of the later files first.
    package static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry] {
        let entries = files.reversed().flatMap(\.self)
        let ranks = entries.map { $0["_priority"]?.int ?? defaultPriority }
        let order = entries.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        return order.map { entries[$0] }.inOrderOfTime
    }

    private static let defaultPriority = 5
}
