package import Foundation
package import HTTPArchive
import Synchronization

/// A request or a response of an entry.
package protocol RecordedMessage {
    var httpVersion: String { get }
    var headers: [HAR.Header] { get }
    var cookies: [HAR.Cookie] { get }
    var headersSize: Int? { get }
    var bodySize: Int? { get }
    var body: HAR.Body { get }

    /// The body and its interpretation, or nil if it was not captured or is in a separate file.
    var interpretedBody: InterpretedBody? { get }

    /// The media type of the body, or nil if it is missing or invalid.
    var mediaType: MediaType? { get }

    /// The media type that determines the charset of the body.
    var textType: MediaType? { get }

    /// The media type that shows whether the body is a file in gzip format.
    var fileType: MediaType? { get }

    /// The body as recorded text, or nil if it was recorded as bytes.
    var recordedText: String? { get }

    /// The cookies in the header fields.
    var cookiesInHeaders: [HAR.Cookie] { get }

    func header(_ name: String) -> String?
    func bodyData(in folder: HAR.BodyFolder) throws(HARError) -> Data?
}

extension RecordedMessage {
    /// Returns the bytes of the body, or nil if it was not captured.
    ///
    /// Some tools record a body with its content coding. The coding is removed.
    ///
    /// - Parameter folder: The folder with the archive's body files.
    /// - Returns: The bytes.
    /// - Throws: The errors of ``bodyData(in:)``.
    package func decompressedBody(in folder: HAR.BodyFolder) throws(HARError) -> Data? {
        try bodyData(in: folder).map { $0.withoutContentCoding(headers, fileType) }
    }

    /// Returns the bytes of the body, or nil if it was not captured or if its file cannot be read, which is reported.
    ///
    /// - Parameters:
    ///   - folder: The folder with the archive's body files; nil for none.
    ///   - index: The index of the entry.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the size of the body.
    package func availableBody(in folder: HAR.BodyFolder?, ofEntry index: Int) -> Data? {
        guard let folder else { return body.data }
        do throws(HARError) {
            return try decompressedBody(in: folder)
        } catch {
            if case .file(let name) = body { UnreadBodies.add(name, ofEntry: index, in: folder, error) }
            return nil
        }
    }
}

extension HAR.Request: RecordedMessage {
    package var mediaType: MediaType? {
        postData.flatMap { MediaType($0.mimeType) } ?? header("content-type").flatMap(MediaType.init)
    }

    package var textType: MediaType? { mediaType }

    package var fileType: MediaType? { (postData.map(\.mimeType) ?? header("content-type")).flatMap(MediaType.init) }

    /// The body as recorded text, or nil if it was recorded as bytes or has a declared charset.
    ///
    /// Without a declared charset, the charset of the bytes is unknown.
    package var recordedText: String? {
        guard let postData, mediaType?.charset == nil, postData.encoding == nil, undeclaredBody == nil else {
            return nil
        }
        return postData.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    package var cookiesInHeaders: [HAR.Cookie] {
        headers.filter { $0.name.lowercased() == "cookie" }.flatMap { CookieHeader.cookies(sentIn: $0.value) }
    }
}

extension HAR.Response: RecordedMessage {
    /// The media type that determines the charset of the body: the header field if it has a charset, or else
    /// ``mediaType``.
    package var textType: MediaType? {
        let declared = header("content-type").flatMap(MediaType.init)
        return declared?.charset == nil ? mediaType : declared
    }

    package var fileType: MediaType? { mediaType }

    package var cookiesInHeaders: [HAR.Cookie] {
        headers.filter { $0.name.lowercased() == "set-cookie" }.flatMap { header in
            // Some tools record several fields as one, separated by line feeds.
            header.value.split(separator: "\n").compactMap { CookieHeader.cookie(String($0), at: Date()) }
        }
    }
}

extension Data {
    /// Returns the bytes without the content coding in the header fields, or the same bytes if they do not have this
    /// coding.
    ///
    /// The header fields of a text in gzip format may be missing. A file in gzip format is unchanged.
    fileprivate func withoutContentCoding(_ headers: [HAR.Header], _ type: MediaType?) -> Data {
        let isText = starts(with: [0x1F, 0x8B, 8]) && type?.isText == true
        var body = InterpretedBody(bytes: self)
        body.removeCodings(isText ? [HAR.Header(name: "Content-Encoding", value: "gzip")] : headers, type)
        return body.bytes
    }
}

/// A multipart form whose fields were recorded, but not its text (HAR 1.2, section `params`).
///
/// The contents of its files, and usually its boundary, are unknown.
package struct RecordedForm {
    /// A boundary in place of the unknown one.
    private static let boundary = "relay-recorded-form"

    /// The fields, encoded as a body.
    ///
    /// Files are empty unless their content was recorded.
    package let body: Data

    /// The media type of ``body``.
    package let type: MediaType?

    /// Creates the form of a request, or returns nil if the bytes of the body are known or if the body is not a form.
    package init?(of request: HAR.Request) {
        guard request.mediaType?.essence.hasPrefix("multipart/") == true, case .notCaptured = request.body,
            let fields = request.postData?.params, !fields.isEmpty
        else { return nil }
        let parts = fields.map { field in
            MultipartBody.Part(
                name: field.name, fileName: field.fileName, type: field.contentType,
                content: Data((field.value ?? "").utf8))
        }
        body = MultipartBody.body(parts, boundary: Self.boundary)
        type = MediaType("multipart/form-data; boundary=\(Self.boundary)")
    }
}

/// The body files that could not be read, and without which the command continues.
///
/// Conditions and a command itself can need the same file, in several threads. The files are therefore collected for
/// the whole process, and each is reported once per entry, after the progress bar is cleared.
package enum UnreadBodies {
    private struct Reference: Hashable {
        let archive: String
        let index: Int
        let name: String
    }

    private static let reasons = Mutex<[Reference: String]>([:])

    /// Whether all body files could be read so far.
    package static var isEmpty: Bool { reasons.withLock { $0.isEmpty } }

    /// Adds a body file.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - index: The index of the entry.
    ///   - folder: The folder with the archive's body files.
    ///   - error: The error that reading the file caused.
    static func add(_ name: String, ofEntry index: Int, in folder: HAR.BodyFolder, _ error: HARError) {
        let reference = Reference(archive: folder.archive?.relativePath ?? "", index: index, name: name)
        reasons.withLock { $0[reference] = error.message }
    }

    /// A description of each body file, in the order of the archives and entries.
    package static var descriptions: [String] {
        let sorted = reasons.withLock { $0 }.sorted {
            ($0.key.archive, $0.key.index, $0.key.name) < ($1.key.archive, $1.key.index, $1.key.name)
        }
        return sorted.map { file, reason in
            let archive = file.archive.isEmpty ? "" : "\(file.archive): "
            return "\(archive)entry \(file.index): \(file.name): body file not read: \(reason)"
        }
    }
}
