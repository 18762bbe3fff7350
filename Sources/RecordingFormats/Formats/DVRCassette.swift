import Foundation
package import HTTPArchive

/// Cassettes of DVR, which replays the last interaction with an equal request.
package enum DVRCassette: RecordingFormat {
    package static let name = "dvr"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let interactions = file.value?["interactions"]?.array else { return false }
        guard let first = interactions.first else { return file.value?["name"] != nil }
        return first["response"]?["status"]?.int != nil
            && (first["request"]?["url"] != nil || first["response"]?["url"] != nil)
    }

    /// Returns the interactions in DVR's order of precedence, which reverses interactions with the same method, URL and
    /// body.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each interaction; see ``tracks(of:)``.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let tracks = try tracks(of: file)
        let groups = Dictionary(grouping: tracks.indices) { index in
            let request = tracks[index].request
            return [request.method, request.url, request.body.data?.base64EncodedString() ?? ""]
        }
        var entries = tracks
        for group in groups.values {
            for (index, source) in zip(group, group.reversed()) {
                entries[index] = tracks[source]
                entries[index].startedDateTime = tracks[index].startedDateTime
            }
        }
        return entries
    }

    /// Returns the interactions in file order.
    ///
    /// In each entry, `_recorded_at` is the time of recording in seconds since 1970, and `_cassette` is the name of the
    /// cassette. The response has a field `_url` if its URL differs from the request's URL.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each interaction.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func tracks(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let name = content["name"].map { [JSONObject.Member(name: "_cassette", value: $0.value)] } ?? []
        let rest = name + content.rest(besides: ["name", "interactions"])
        var entries: [HAR.Entry] = []
        for value in try content.required("interactions").elements() {
            let start = try value["recorded_at"].map { value throws(HARError) in
                guard let seconds = value.value.double, seconds.isFinite else {
                    throw value.mismatch("a number of seconds since 1970")
                }
                return Date(timeIntervalSince1970: seconds)
            }
            var track = try RecordedTrack(value, start: start, in: file, untyped: .base64)
            track.exchange.entryFields = rest + value.rest(besides: ["request", "response"])
            entries.append(track.exchange.entry)
        }
        return entries.withAscendingTimes
    }
}
