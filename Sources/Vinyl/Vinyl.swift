import Foundation
import HTTPArchive
import RecordingFormats
import Relay
import RelayTesting

/// The decoded content of a vinyl file: an array of tracks.
public typealias Plastic = [[String: Any]]

/// A decoded JSON object of a vinyl file, such as a request or a response.
public typealias EncodedObject = [String: Any]

/// An ordered list of tracks.
public struct Vinyl: Sendable {
    let tracks: [Track]

    /// The folder that contains the body files of the tracks, or `nil` if no body is stored in a file.
    var folder: URL?

    /// Creates a vinyl from tracks in the given order.
    public init(tracks: [Track]) { self.tracks = tracks }

    /// Creates a vinyl from the decoded content of a vinyl file.
    ///
    /// If the content is invalid, the test fails and the vinyl is empty.
    public init(plastic: Plastic) {
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

    /// Reads an archive, a vinyl, or a DVR cassette.
    ///
    /// The format is detected from the content, not from the file's name.
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

    /// Creates a vinyl from entries whose responses were recorded at the client.
    private init(seenIn entries: [HAR.Entry]) {
        self.init(tracks: entries.map { Track(entry: $0.asSeenByClient) })
    }

    private init(_ archive: HARArchive) throws(HARError) {
        var tracks: [Track] = []
        for index in 0..<archive.count {
            let entry = try archive.entry(at: index)
            // Redirects, failures and entries with a redacted URL remain unchanged: a redirect continues in the next
            // entry, a failure has no response, and a redacted URL is not the requested URL.
            let isWhole =
                entry.failure == nil && entry.response.redirectURL.isEmpty && !HARRedactor.isRedacted(entry.request.url)
            tracks.append(Track(entry: isWhole ? entry.asSeenByClient : entry))
        }
        self.init(tracks: tracks)
        folder = archive.url.deletingLastPathComponent()
    }

    var entries: [HAR.Entry] { tracks.map(\.entry) }

    /// The indexes of the tracks without a body.
    var withoutBody: Set<Int> { Set(tracks.indices.filter { !tracks[$0].hasBody }) }

    /// The errors that are delivered instead of responses, by track index.
    var failures: [Int: any Error] { tracks.enumerated().reduce(into: [:]) { $0[$1.offset] = $1.element.failure } }
}
