import Foundation
import HTTPArchive
import RecordingFormats
import Relay
import RelayTesting

/// Tracks in an order.
public struct Vinyl: Sendable {
    let tracks: [Track]

    /// Where the files are in which tracks have bodies; `nil` where they have none in files.
    var folder: URL?

    /// Makes a vinyl of tracks in their order.
    public init(tracks: [Track]) { self.tracks = tracks }

    /// Makes a vinyl of what a vinyl's file holds; what holds no tracks lets the test fail, and makes an empty vinyl.
    public init(plastic: [[String: Any]]) {
        do throws(HARError) {
            let isJSON = JSONSerialization.isValidJSONObject(plastic)
            let data = isJSON ? try? JSONSerialization.data(withJSONObject: plastic) : nil
            let file = RecordingFile(url: URL(fileURLWithPath: "plastic"), date: Date(), data: data ?? Data())
            try self.init(seenIn: VinylRecording.entries(of: file))
        } catch {
            TestFailure.record(error)
            self.init(tracks: [])
        }
    }

    /// Reads a file: an archive, a vinyl, or a cassette of DVR, whatever its name is.
    init(contentsOf url: URL) throws(HARError) {
        let file = try RecordingFile(contentsOf: url)
        if file.value?.array != nil || file.data.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") {
            try self.init(seenIn: VinylRecording.entries(of: file))
        } else if DVRCassette.recognizes(file) {
            try self.init(seenIn: DVRCassette.tracks(of: file))
        } else {
            try self.init(HARArchive(contentsOf: url))
        }
    }

    /// The entries of what its client saw, which has it as it is.
    private init(seenIn entries: [HAR.Entry]) {
        self.init(tracks: entries.map { Track(entry: $0.asSeenByClient) })
    }

    private init(_ archive: HARArchive) throws(HARError) {
        var tracks: [Track] = []
        for index in 0..<archive.count {
            let entry = try archive.entry(at: index)
            // A redirect leads to the next entry, and a URL without its secrets is not the one that was asked.
            let isWhole = entry.response.redirectURL.isEmpty && !HARRedactor.isRedacted(entry.request.url)
            tracks.append(Track(entry: isWhole ? entry.asSeenByClient : entry))
        }
        self.init(tracks: tracks)
        folder = archive.url.deletingLastPathComponent()
    }

    var entries: [HAR.Entry] { tracks.map(\.entry) }

    /// The errors that requests get, by the track's place.
    var failures: [Int: any Error] { tracks.enumerated().reduce(into: [:]) { $0[$1.offset] = $1.element.failure } }
}
