import Foundation
package import HTTPArchive

/// Archives of the library Replay by Mattt: HAR with whole milliseconds, in which redirects stand as their last answer
/// under the first URL.
package enum ReplayArchive: RecordingFormat {
    package static let name = "replay"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        RecordedArchive.creator(of: file)?.hasPrefix("Replay") ?? false
    }

    /// The entries in the order of their times.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        try RecordedArchive(file).entries { entry, _ in
            // Bodies of requests that are no text are in Base64, and only the size tells.
            guard let text = entry.request.postData?.text, let size = entry.request.bodySize,
                text.utf8.count != size, Data(base64Encoded: text)?.count == size
            else { return }
            entry.request.postData?["_encoding"] = "base64"
        }
    }
}
