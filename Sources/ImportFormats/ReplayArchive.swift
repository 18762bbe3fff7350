import Foundation
package import HTTPArchive
package import RecordingFormats

/// Archives of Replay, a library by Mattt.
///
/// These HAR files have times in whole milliseconds. The entry of a redirected request contains the final response.
package enum ReplayArchive: RecordingFormat {
    package static let name = "replay"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        RecordedArchive.creator(of: file)?.hasPrefix("Replay") ?? false
    }

    /// Returns the entries in chronological order.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        try RecordedArchive(file).entries { entry, _ in
            // Binary request bodies are stored as Base64. Only the body size distinguishes them from text.
            guard let text = entry.request.postData?.text, let size = entry.request.bodySize,
                text.utf8.count != size, Data(base64Encoded: text)?.count == size
            else { return }
            entry.request.postData?["_encoding"] = "base64"
        }
    }
}
