public import Foundation

/// The properties of an entry that are used to list and filter entries.
///
/// The entry is either in memory or in an archive. An entry in an archive is read only if its summary is insufficient.
public struct HAREntryFacts: Sendable {
    private enum Source {
        case entry(HAR.Entry)
        case archive(HARArchive, Int, HAREntrySummary)
    }

    private let source: Source

    /// Creates the facts about an entry in memory.
    ///
    /// - Parameter entry: The entry.
    public init(of entry: HAR.Entry) {
        source = .entry(entry)
    }

    /// Creates the facts about an entry in an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - index: The index of the entry, which must be less than the archive's count.
    public init(of archive: HARArchive, at index: Int) {
        source = .archive(archive, index, archive.summary(at: index))
    }

    /// Returns a property of the entry, or the same property of its summary if the entry is in an archive.
    private func value<Value>(_ ofEntry: (HAR.Entry) -> Value, _ ofSummary: (HAREntrySummary) -> Value) -> Value {
        switch source {
        case .entry(let entry): ofEntry(entry)
        case .archive(_, _, let summary): ofSummary(summary)
        }
    }

    /// The method of the request.
    public var method: String { value({ $0.request.method }, { $0.method }) }

    /// The URL of the request.
    public var url: String { value({ $0.request.url }, { $0.url }) }

    /// The status code of the response, or 0 if it is missing.
    public var status: Int { value({ $0.response.status }, { $0.status }) }

    /// The start time of the request, as recorded in the file.
    public var startedDateTime: String { value({ $0.startedDateTime }, { $0.startedDateTime }) }

    /// The date of ``startedDateTime``, or nil if the text is not a valid date.
    public var startedDate: Date? { value({ $0.startedDate }, { $0.startedDate }) }

    /// The duration of the exchange in milliseconds, or nil if it is unknown.
    public var time: Double? { value({ $0.time }, { $0.time }) }

    /// The identifier of the request's page, or nil if the request does not belong to a page.
    public var pageref: String? { value({ $0.pageref }, { $0.pageref }) }

    /// The resource type that a browser recorded (`_resourceType`), or nil if it is missing.
    package var resourceType: String? { value({ $0["_resourceType"]?.text }, { $0.resourceType }) }

    /// Whether the request failed; see ``HAR/Entry/failure``.
    public var isFailed: Bool { value({ $0.failure != nil }, { $0.isFailed }) }

    /// Whether the browser took the response from its cache; see ``HAR/Entry/isFromCache``.
    public var isFromCache: Bool { value({ $0.isFromCache }, { $0.isFromCache }) }

    /// The size of the entry's text in bytes, or nil for an entry that was created or changed in code.
    public var byteCount: Int? { value({ $0.fields.byteRange?.count }, { $0.byteRange.count }) }

    /// The JSON text of the entry as stored in its archive, or nil for an entry in memory.
    ///
    /// The text is not validated.
    ///
    /// - Throws: `unreadableFile`.
    package var text: [UInt8]? {
        get throws(HARError) {
            guard case .archive(let archive, _, let summary) = source else { return nil }
            return try archive.file.bytes(in: summary.byteRange)
        }
    }

    /// The media type of the recorded content, as written in the archive.
    package var recordedMimeType: String { value({ $0.response.content.mimeType }, { $0.mimeType }) }

    /// The size of the recorded content in bytes, or nil if it is unknown.
    package var recordedSize: Int? { value({ $0.response.content.size }, { $0.size }) }

    /// The media type of the recorded content, without regard to header fields; nil if it is missing or invalid.
    package var recordedMediaType: MediaType? { MediaType(recordedMimeType) }

    /// The media type of the response, or nil if it is unknown; see ``HAR/Response/mediaType``.
    ///
    /// - Throws: The errors of ``HARArchive/entry(at:)``, if the entry has to be read.
    public var mediaType: MediaType? {
        get throws(HARError) {
            if case .archive(_, _, let summary) = source, let type = MediaType(summary.mimeType) { return type }
            return try entry.response.mediaType
        }
    }

    /// The size of the response body in bytes, or nil if it is unknown; see ``HAR/Response/decodedBodySize``.
    ///
    /// - Throws: The errors of ``HARArchive/entry(at:)``, if the entry has to be read.
    public var decodedBodySize: Int? {
        get throws(HARError) {
            if case .archive(_, _, let summary) = source, let size = summary.size { return size }
            return try entry.response.decodedBodySize
        }
    }

    /// The entry.
    ///
    /// - Throws: The errors of ``HARArchive/entry(at:)``.
    public var entry: HAR.Entry {
        get throws(HARError) {
            switch source {
            case .entry(let entry): entry
            case .archive(let archive, let index, _): try archive.entry(at: index)
            }
        }
    }
}
