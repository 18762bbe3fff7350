import Foundation
import HTTPArchive

/// The requests of a recording, to find the entries that have the same ones.
///
/// Two requests are the same if all matchers agree, those too that are only preferred: of their entries the first one
/// would be replayed, so that an older one must not stay in front of a new one.
final class RecordedRequests {
    private let archive: HARArchive
    private let matcher: RequestMatcher
    private let redaction: RequestRedaction

    /// The recorded requests by what the matchers compare; read when the first entry is looked for.
    private lazy var requests: [Digest: [ComparedRequest]] = {
        let requests = (0..<archive.count).compactMap { try? Self.request(at: $0, of: archive) }
        return Dictionary(grouping: requests, by: digest)
    }()

    /// Creates the collection.
    ///
    /// - Parameters:
    ///   - archive: The archive of the recording.
    ///   - matching: The matchers.
    ///   - redaction: The settings by which the recording was redacted, or nil if it was not.
    init(of archive: HARArchive, matching: RequestMatching, redaction: HARRedactor.Configuration?) {
        self.archive = archive
        matcher = .all(of: matching.required + matching.preferred)
        self.redaction = RequestRedaction(redaction)
    }

    /// Whether one of the requests is that of an entry, as it is or redacted.
    ///
    /// - Parameters:
    ///   - index: The entry index.
    ///   - other: The archive of the entry.
    /// - Returns: Whether one is.
    /// - Throws: As ``HARArchive/entry(at:)`` does.
    func contain(_ index: Int, of other: HARArchive) throws(HARError) -> Bool {
        let request = try Self.request(at: index, of: other)
        let forms = [request] + (redaction.masked(request.request).map { [ComparedRequest($0)] } ?? [])
        return forms.contains { form in
            let digest = digest(of: form)
            guard digest != .unknown, let candidates = requests[digest] else { return false }
            return candidates.contains { matcher.passesTests(asked: $0, recorded: form) }
        }
    }

    private func digest(of request: ComparedRequest) -> Digest {
        matcher.equivalence.digest(of: request, withKey: true)
    }

    private static func request(at index: Int, of archive: HARArchive) throws(HARError) -> ComparedRequest {
        ComparedRequest(
            recorded: try archive.entry(at: index).request, folder: archive.bodyFolder,
            withBody: true)
    }
}
