import Foundation
import HTTPArchive
import Synchronization

/// A conversion of requests to their form in redacted archives.
///
/// The conversion is used only if an archive contains placeholders and has no entry for the original request.
final class RequestRedaction: Sendable {
    private let configuration: HARRedactor.Configuration?

    /// The redactors that insert the bare placeholder word and keyed placeholders.
    ///
    /// The outer optionals are `nil` before first use. The inner ones are `nil` if redaction is off or its
    /// configuration is invalid.
    private let redactors = Mutex<(bare: HARRedactor??, keyed: HARRedactor??)>((nil, nil))

    /// Creates a conversion.
    ///
    /// - Parameter configuration: The redaction settings; `nil` to redact nothing.
    init(_ configuration: HARRedactor.Configuration?) { self.configuration = configuration }

    /// Returns the request with each secret and each placeholder replaced with the bare placeholder word, or `nil` if
    /// this does not change the request.
    func masked(_ request: InterceptedRequest) -> InterceptedRequest? {
        let redactor = redactors.withLock { redactors in
            if let cached = redactors.bare { return cached }
            let created = configuration.flatMap { try? HARRedactor(masking: $0) }
            redactors.bare = .some(created)
            return created
        }
        guard let redactor else { return nil }
        let masked = Self.redacted(request, by: redactor)?.withoutKeys
        return masked == request.withoutKeys ? nil : masked
    }

    /// Returns the placeholders that replace the request's secrets in an archive redacted with the same key.
    func placeholders(of request: InterceptedRequest) -> [String] {
        let redactor = redactors.withLock { redactors in
            if let cached = redactors.keyed { return cached }
            let created = configuration.flatMap { try? HARRedactor($0) }
            redactors.keyed = .some(created)
            return created
        }
        return (redactor.flatMap { Self.redacted(request, by: $0) } ?? request).placeholders
    }

    /// Returns the request as it would be read from a redacted archive.
    private static func redacted(_ request: InterceptedRequest, by redactor: HARRedactor) -> InterceptedRequest? {
        var settings = RecordingConfiguration()
        settings.largestEmbeddedBody = .max
        // All bodies are embedded, so nothing is written to the directory.
        let maker = EntryBuilder(settings: settings, folder: FileManager.default.temporaryDirectory)
        let exchange = CapturedExchange(request: request, start: Date(timeIntervalSince1970: 0), body: SpooledBody())
        guard let recorded = try? maker.request(of: exchange) else { return nil }
        return InterceptedRequest(recorded: redactor.redacted(recorded), folder: nil, withBody: true)
    }
}
