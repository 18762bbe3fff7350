import Foundation
import HTTPArchive

/// A multipart form whose fields were recorded, but not its text (HAR 1.2, section `params`).
///
/// The contents of its files, and usually its boundary, are unknown.
struct RecordedForm {
    /// A boundary in place of the unknown one.
    private static let boundary = "relay-recorded-form"

    /// The fields, encoded as a body.
    ///
    /// Files are empty unless their content was recorded.
    let body: Data

    /// The media type of ``body``.
    let type: MediaType?

    /// Creates the form of a request, or returns nil if the bytes of the body are known or if the body is not a form.
    init?(of request: HAR.Request) {
        guard request.mediaType?.essence.hasPrefix("multipart/") == true, case .notCaptured = request.body,
            let fields = request.postData?.params, !fields.isEmpty
        else { return nil }
        let parts = fields.map { field in
            MultipartBody.Field(
                name: field.name, fileName: field.fileName, type: field.contentType,
                content: Data((field.value ?? "").utf8))
        }
        body = MultipartBody.body(parts, boundary: Self.boundary)
        type = MediaType("multipart/form-data; boundary=\(Self.boundary)")
    }
}
