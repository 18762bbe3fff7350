import Foundation
package import HTTPArchive

/// Cassettes of DVR, which plays the last interaction of those with the same request, again and again.
package enum DVRCassette: RecordingFormat {
    package static let name = "dvr"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let interactions = file.value?["interactions"]?.array else { return false }
        guard let first = interactions.first else { return file.value?["name"] != nil }
        return first["response"]?["status"]?.int != nil
            && (first["request"]?["url"] != nil || first["response"]?["url"] != nil)
    }

    /// The interactions in DVR's order of preference: among those with the same method, URL and body the last one comes
    /// first, and the others stay where they are.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each interaction; see ``tracks(of:)``.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let tracks = try tracks(of: file)
        let places = Dictionary(grouping: tracks.indices) { index in
            let request = tracks[index].request
            return [request.method, request.url, request.body.data?.base64EncodedString() ?? ""]
        }
        var entries = tracks
        for group in places.values {
            for (place, source) in zip(group, group.reversed()) {
                entries[place] = tracks[source]
                entries[place].startedDateTime = tracks[place].startedDateTime
            }
        }
        return entries
    }

    /// The interactions in the order of the file.
    ///
    /// An entry has the time of its recording in `_recorded_at`, in seconds since 1970 as the cassette says it, the name
    /// of the cassette in `_cassette`, and the response's URL in the response's `_url` where it is another one than the
    /// request's.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each interaction.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place.
    package static func tracks(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let name = content["name"].map { [JSONObject.Member(name: "_cassette", value: $0.value)] } ?? []
        let rest = name + content.rest(besides: ["name", "interactions"])
        var entries: [HAR.Entry] = []
        for value in try content.required("interactions").elements() {
            let start = try value["recorded_at"].map { value throws(HARError) in
                guard let seconds = value.value.double, seconds.isFinite else {
                    throw value.error("A number of seconds since 1970 is wanted here.")
                }
                return Date(timeIntervalSince1970: seconds)
            }
            var track = try RecordedTrack(value, start: start, in: file, untyped: .base64)
            track.exchange.entryFields = rest + value.rest(besides: ["request", "response"])
            entries.append(track.exchange.entry)
        }
        return entries.inOrderOfTime
    }
}
