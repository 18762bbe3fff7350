import Foundation
package import HTTPArchive
package import RecordingFormats

/// Recordings of Polly.js: HAR files whose bodies can be compressed and split into chunks.
package enum PollyRecording: RecordingFormat {
    package static let name = "polly"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        RecordedArchive.creator(of: file) == "Polly.JS" || file.value?["log"]?["_recordingName"] != nil
    }

    /// Returns the entries in chronological order.
    ///
    /// The field `_recordingName` of each entry is the name of the recording.
    ///
    /// - Parameter file: The file.
    /// - Returns: The entries.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        try RecordedArchive.entries(of: file) { entry, value throws(HARError) in
            // An empty list of parameters would contradict the text of a form.
            if entry.request.postData?.params == [] { entry.request.postData?.params = nil }
            if entry.request.postData?.text == nil, entry.request.postData?.params == nil {
                entry.request.postData = nil
            }
            try decodeBody(of: &entry, value)
        }
    }

    private static func decodeBody(of entry: inout HAR.Entry, _ value: RecordedValue) throws(HARError) {
        let content = entry.response.content
        let isHexadecimal = content["_isBinary"]?.bool == true
        guard isHexadecimal || content.encoding == "base64", let text = content.text,
            let body = bytes(of: text, isHexadecimal: isHexadecimal)
        else { return }
        entry.response.content.encoding = nil
        entry.response.content.text = nil
        switch try ContentCoding.decoded(body, headers: entry.response.headers) {
        case .bytes(let bytes):
            entry.response.content.size = bytes.count
            entry.response.embed(bytes)
        case .unsupported:
            entry.response.content["_encodedText"] = .string(JSONString(body.base64EncodedString()))
            entry.response.content.comment =
                "The content coding of the body was not supported by the import."
        }
    }

    /// Returns the bytes of a body that is a string or an array of chunks, or nil if the text cannot be decoded.
    private static func bytes(of text: String, isHexadecimal: Bool) -> Data? {
        let chunks = (try? JSONValue(parsing: text))?.array?.map(\.text) ?? [text]
        var body = Data()
        for chunk in chunks {
            guard let chunk,
                let bytes = isHexadecimal ? Hexadecimal.bytes(chunk).map({ Data($0) }) : Data(base64Encoded: chunk)
            else {
                return nil
            }
            body += bytes
        }
        return body
    }
}
