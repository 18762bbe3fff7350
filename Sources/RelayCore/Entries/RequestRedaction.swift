import Foundation
import HTTPArchive

/// A conversion of requests to their form in redacted archives.
///
/// The conversion is used only if an archive contains placeholders and has no entry for the original request.
final class RequestRedaction: Sendable {
    private let configuration: HARRedactor.Configuration?

    /// The redactor that inserts the bare placeholder word; `nil` if redaction is off or its configuration is invalid.
    private let bareRedactor = OnFirstUse<HARRedactor?>()

    /// The redactor that inserts keyed placeholders; `nil` if redaction is off or its configuration is invalid.
    private let keyedRedactor = OnFirstUse<HARRedactor?>()

    /// Creates a conversion.
    ///
    /// - Parameter configuration: The redaction settings; `nil` to redact nothing.
    init(_ configuration: HARRedactor.Configuration?) { self.configuration = configuration }

    /// Returns the request with each secret and each placeholder replaced with the bare placeholder word, or `nil` if
    /// this does not change the request.
    func masked(_ request: InterceptedRequest) -> InterceptedRequest? {
        let redactor = bareRedactor.value { configuration.flatMap { try? HARRedactor(masking: $0) } }
        guard let redactor else { return nil }
        let masked = Self.redacted(request, by: redactor)?.withoutKeys
        return masked == request.withoutKeys ? nil : masked
    }

    /// Returns the placeholders that replace the request's secrets in an archive redacted with the same key.
    func placeholders(of request: InterceptedRequest) -> [String] {
        let redactor = keyedRedactor.value { configuration.flatMap { try? HARRedactor($0) } }
        return (redactor.flatMap { Self.redacted(request, by: $0) } ?? request).placeholders
    }

    /// Returns the request as it would be read from a redacted archive.
    private static func redacted(_ request: InterceptedRequest, by redactor: HARRedactor) -> InterceptedRequest? {
        var settings = RecordingConfiguration()
        settings.largestEmbeddedBody = .max
        // All bodies are embedded, so nothing is written to the directory.
        let maker = EntryBuilder(settings: settings, folder: FileManager.default.temporaryDirectory)
        let exchange = CapturedExchange(request: request, start: Date(timeIntervalSince1970: 0), body: SpooledBody())
        guard let recorded = try? maker.request(of: exchange),
            let redacted = redactor.redacted(recorded, inflating: mostInflated)
        else { return nil }
        return InterceptedRequest(recorded: redacted, folder: nil, withBody: true)
    }

    /// The maximum number of bytes to decompress, so that a request does not delay others.
    private static let mostInflated = 1 << 16
}
