import Foundation
import HTTPArchive

/// What an entry gives in answer to a request.
struct PlayedAnswer: Sendable {
    /// What messages call the archive.
    var archive: String

    /// The entry, counted from 0.
    var entry: Int

    /// What tells the entry from others; `nil` when it cannot be read.
    var identity: EntryIdentity?

    /// How long the recorded exchange took; `nil` where nothing of it is known.
    var timings: HAR.Timings?

    /// The response, or the error that the request gets.
    var outcome: Result<InterceptedResponse, any Error>

    /// What the request ends with after the response, which broke off; `nil` for one that is whole.
    var breakOff: URLError?

    /// Whether the response is the last one, though its status may be that of a redirect.
    var isLast = false
}
