import Foundation
import HTTPArchive
import Synchronization

/// Requests as they stand in archives that were redacted.
///
/// It is only asked where an archive has placeholders, and a request as it is has no answer there.
final class RequestRedaction: Sendable {
    private let configuration: HARRedactor.Configuration?

    /// What puts the bare word in place of secrets, and what puts placeholders there; each is made when it is needed, and
    /// `nil` within where nothing is redacted or cannot be.
    private let redactors = Mutex<(bare: HARRedactor??, keyed: HARRedactor??)>((nil, nil))

    /// Prepares to redact requests.
    ///
    /// - Parameter configuration: What is a secret; `nil` where nothing is redacted.
    init(_ configuration: HARRedactor.Configuration?) { self.configuration = configuration }

    /// The request with the bare word in place of secrets and of placeholders; `nil` where it has no secrets.
    func masked(_ request: InterceptedRequest) -> InterceptedRequest? {
        let redactor = redactors.withLock { redactors in
            if let made = redactors.bare { return made }
            let made = configuration.flatMap { HARRedactor(masking: $0) }
            redactors.bare = .some(made)
            return made
        }
        guard let redactor else { return nil }
        let masked = Self.redacted(request, by: redactor)?.withoutKeys
        return masked == request.withoutKeys ? nil : masked
    }

    /// What the request's secrets are in an archive of the same key.
    func placeholders(of request: InterceptedRequest) -> [String] {
        let redactor = redactors.withLock { redactors in
            if let made = redactors.keyed { return made }
            let made = configuration.flatMap { try? HARRedactor($0) }
            redactors.keyed = .some(made)
            return made
        }
        return (redactor.flatMap { Self.redacted(request, by: $0) } ?? request).placeholders
    }

    /// The request as it is recorded, redacted and read again.
    private static func redacted(_ request: InterceptedRequest, by redactor: HARRedactor) -> InterceptedRequest? {
        var settings = RecordingConfiguration()
        settings.largestEmbeddedBody = .max
        // With all bodies embedded, nothing is written to the folder.
        let maker = EntryBuilder(settings: settings, folder: FileManager.default.temporaryDirectory)
        let exchange = CapturedExchange(request: request, start: Date(timeIntervalSince1970: 0), body: SpooledBody())
        guard let recorded = try? maker.request(of: exchange) else { return nil }
        return InterceptedRequest(recorded: redactor.redacted(recorded), folder: nil, withBody: true)
    }
}
