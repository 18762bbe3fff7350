import Foundation
import HTTPArchive
import RecordingFormats

extension HAR.Request {
    /// Returns the bytes of the body, or nil if it was not captured.
    ///
    /// Some tools record a body with its content coding. The coding is removed.
    ///
    /// - Parameter folder: The folder with the archive's body files.
    /// - Returns: The bytes.
    /// - Throws: The errors of ``bodyData(in:)``.
    func decompressedBody(in folder: HAR.BodyFolder) throws(HARError) -> Data? {
        let type = postData.map(\.mimeType) ?? header("content-type")
        return try bodyData(in: folder).map { $0.withoutContentCoding(headers, type.flatMap(MediaType.init)) }
    }
}

extension HAR.Response {
    /// Returns the bytes of the body, or nil if it was not captured.
    ///
    /// Some tools record a body with its content coding. The coding is removed.
    ///
    /// - Parameter folder: The folder with the archive's body files.
    /// - Returns: The bytes.
    /// - Throws: The errors of ``bodyData(in:)``.
    func decompressedBody(in folder: HAR.BodyFolder) throws(HARError) -> Data? {
        try bodyData(in: folder).map { $0.withoutContentCoding(headers, mediaType) }
    }
}

extension Data {
    /// Returns the bytes without the content coding in the header fields, or the same bytes if they do not have this
    /// coding.
    ///
    /// The header fields of a text in gzip format may be missing. A file in gzip format is unchanged.
    fileprivate func withoutContentCoding(_ headers: [HAR.Header], _ type: MediaType?) -> Data {
        let essence = type?.essence ?? ""
        let isCompressedFile = essence.hasSuffix("gzip")
        // Decoded text is the usual case. Compressed data is hardly ever valid UTF-8.
        guard !isEmpty, !isCompressedFile, String(validating: self, as: UTF8.self) == nil else { return self }
        var headers = headers
        if starts(with: [0x1F, 0x8B, 8]),
            essence.hasPrefix("text/") || ["json", "xml", "javascript"].contains(where: essence.hasSuffix)
        {
            headers = [HAR.Header(name: "Content-Encoding", value: "gzip")]
        }
        guard case .bytes(let bytes)? = try? ContentCoding.decoded(self, headers: headers) else { return self }
        return bytes
    }
}
