public import Foundation

/// What lists and filters ask of an entry: of one that was read, or of one in an archive, which is read only where its
/// summary does not say enough.
public struct HAREntryFacts: Sendable {
    private enum Source {
        case entry(HAR.Entry)
        case archive(HARArchive, Int, HAREntrySummary)
    }

    private let source: Source

    /// Takes an entry that was read.
    ///
    /// - Parameter entry: The entry.
    public init(of entry: HAR.Entry) {
        source = .entry(entry)
    }

    /// Takes an entry of an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - index: The place of the entry in it, counted from 0; it must be below the archive's count.
    public init(of archive: HARArchive, at index: Int) {
        source = .archive(archive, index, archive.summary(at: index))
    }

    /// The method of the request.
    public var method: String {
        switch source {
        case .entry(let entry): entry.request.method
        case .archive(_, _, let summary): summary.method
        }
    }

    /// The URL of the request.
    public var url: String {
        switch source {
        case .entry(let entry): entry.request.url
        case .archive(_, _, let summary): summary.url
        }
    }

    /// The status code of the response; 0 when it is absent.
    public var status: Int {
        switch source {
        case .entry(let entry): entry.response.status
        case .archive(_, _, let summary): summary.status
        }
    }

    /// When the request began, as the file has it.
    public var startedDateTime: String {
        switch source {
        case .entry(let entry): entry.startedDateTime
        case .archive(_, _, let summary): summary.startedDateTime
        }
    }

    /// The time in ``startedDateTime``; `nil` when the text is none.
    public var startedDate: Date? { HAR.date(startedDateTime) }

    /// The time of the exchange in milliseconds; `nil` when it is unknown.
    public var time: Double? {
        switch source {
        case .entry(let entry): entry.time
        case .archive(_, _, let summary): summary.time
        }
    }

    /// The identifier of the page that the request belongs to; `nil` when it belongs to none.
    public var pageref: String? {
        switch source {
        case .entry(let entry): entry.pageref
        case .archive(_, _, let summary): summary.pageref
        }
    }

    /// Whether the request was not answered, as ``HAR/Entry/failure`` tells.
    public var isFailed: Bool {
        switch source {
        case .entry(let entry): entry.failure != nil
        case .archive(_, _, let summary): summary.isFailed
        }
    }

    /// The number of bytes of the entry's text; `nil` for an entry that was changed or made by code.
    public var byteCount: Int? {
        switch source {
        case .entry(let entry): entry.fields.byteRange?.count
        case .archive(_, _, let summary): summary.byteRange.count
        }
    }

    /// The media type of the answer, as ``HAR/Response/mediaType`` tells; `nil` when it is unknown.
    ///
    /// - Throws: As ``HARArchive/entry(at:)`` does, where the entry has to be read.
    public var mediaType: MediaType? {
        get throws(HARError) {
            if case .archive(_, _, let summary) = source, let type = MediaType(summary.mimeType) { return type }
            return try entry.response.mediaType
        }
    }

    /// The size of the answer's body, as ``HAR/Response/decodedBodySize`` tells; `nil` when it is unknown.
    ///
    /// - Throws: As ``HARArchive/entry(at:)`` does, where the entry has to be read.
    public var decodedBodySize: Int? {
        get throws(HARError) {
            if case .archive(_, _, let summary) = source, let size = summary.size { return size }
            return try entry.response.decodedBodySize
        }
    }

    /// The entry.
    ///
    /// - Throws: As ``HARArchive/entry(at:)`` does.
    public var entry: HAR.Entry {
        get throws(HARError) {
            switch source {
            case .entry(let entry): entry
            case .archive(let archive, let index, _): try archive.entry(at: index)
            }
        }
    }
}
