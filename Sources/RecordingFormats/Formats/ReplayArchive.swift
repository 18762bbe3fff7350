import Foundation
package import HTTPArchive

/// Archives of Mattt's library Replay.
///
/// They are HAR files with times in whole milliseconds, in which a redirected request has the final response.
package enum ReplayArchive: RecordingFormat {
    package static let name = "replay"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        RecordedArchive.creator(of: file)?.hasPrefix("Replay") ?? false
    }

    /// Returns the entries in chronological order.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` and `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        try RecordedArchive(file).entries { entry, _ in
            // Binary request bodies are Base64, which only the body size reveals.
            guard let text = entry.request.postData?.text, let size = entry.request.bodySize,
                text.utf8.count != size, Data(base64Encoded: text)?.count == size
            else { return }
            entry.request.postData?["_encoding"] = "base64"
        }
    }
}
