/// What an index keeps of an entry: enough to find and list it without reading it.
///
/// Each property has the value that the entry's own has.
public struct HAREntrySummary: Hashable, Sendable {
    /// The place of the entry's text in the file, in bytes.
    public var byteRange: Range<Int>

    /// The method of the request.
    public var method = ""

    /// The URL of the request.
    public var url = ""

    /// The status code of the response; 0 when it is absent.
    public var status = 0

    /// When the request began, as the file has it.
    public var startedDateTime = ""

    /// The time of the exchange in milliseconds; `nil` when it is unknown.
    public var time: Double?

    /// The media type of the content, with its parameters.
    public var mimeType = ""

    /// The size of the content in bytes; `nil` when it is unknown.
    public var size: Int?

    /// What kind of resource a browser took it for (`_resourceType`); `nil` when that is not said.
    public var resourceType: String?

    /// The identifier of the page that the request belongs to; `nil` when it belongs to none.
    public var pageref: String?

    /// Whether the entry says why it was not answered, or has no status: whether ``HAR/Entry/failure`` is not `nil`.
    public var isFailed = true
}

extension HAREntrySummary {
    /// Summarizes an entry that was read.
    init(of entry: HAR.Entry, at byteRange: Range<Int>) {
        let request = entry.request
        let response = entry.response
        let content = response.content
        self.init(
            byteRange: byteRange, method: request.method, url: request.url, status: response.status,
            startedDateTime: entry.startedDateTime, time: entry.time, mimeType: content.mimeType, size: content.size,
            resourceType: entry["_resourceType"]?.text, pageref: entry.pageref, isFailed: entry.failure != nil)
    }
}
