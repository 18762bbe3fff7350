package import HTTPArchive

/// Vinyls: arrays of tracks, the first of which that matches is played.
package enum VinylRecording: RecordingFormat {
    package static let name = "vinyl"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let track = file.value?[0], let response = track["response"]?.object else { return false }
        return response["url"] != nil || track["request"]?["url"] != nil
    }

    /// The tracks in their order.
    ///
    /// The response's URL stands in its field `_url` where it is another one than the request's.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each track.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        var entries: [HAR.Entry] = []
        for value in try file.content().elements() {
            var track = try RecordedTrack(value, in: file, untyped: .plain)
            track.exchange.entryFields = value.rest(besides: ["request", "response"])
            entries.append(track.exchange.entry)
        }
        return entries.inOrderOfTime
    }
}
