package import Foundation

/// The most important fields of an entry, for listing and finding entries without reading them.
///
/// Each property has the same value as the corresponding property of the entry.
public struct HAREntrySummary: Hashable, Sendable {
    /// The range of the entry's text in the file, in bytes.
    public var byteRange: Range<Int>

    /// The method of the request.
    public var method = ""

    /// The URL of the request.
    public var url = ""

    /// The status code of the response, or 0 if it is missing.
    public var status = 0

    /// The start time of the request, as recorded in the file.
    public var startedDateTime: String {
        get { started.text }
        set { started = RecordedTime(newValue) }
    }

    /// The start time, packed if possible.
    var started = RecordedTime.text("")

    /// The duration of the exchange in milliseconds, or `nil` if it is unknown.
    public var time: Double?

    /// The media type of the content, with its parameters.
    public var mimeType = ""

    /// The size of the content in bytes, or `nil` if it is unknown.
    public var size: Int?

    /// The resource type that a browser recorded (`_resourceType`), or `nil` if it is missing.
    public var resourceType: String?

    /// The identifier of the request's page, or `nil` if the request does not belong to a page.
    public var pageref: String?

    /// Whether the request failed; see ``HAR/Entry/failure``.
    public var isFailed = true

    /// Whether the browser took the response from its cache; see ``HAR/Entry/isFromCache``.
    public var isFromCache = false
}

extension HAREntrySummary {
    /// The date of ``startedDateTime``, or `nil` if the text is not a valid date.
    package var startedDate: Date? { started.date }

    /// Creates the summary of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - byteRange: The range of its text in a file, in bytes.
    package init(of entry: HAR.Entry, at byteRange: Range<Int>) {
        let request = entry.request
        let response = entry.response
        let content = response.content
        self.init(
            byteRange: byteRange, method: request.method, url: request.url, status: response.status,
            started: RecordedTime(entry.startedDateTime), time: entry.time, mimeType: content.mimeType,
            size: content.size, resourceType: entry["_resourceType"]?.text, pageref: entry.pageref,
            isFailed: entry.failure != nil, isFromCache: entry.isFromCache)
    }
}
