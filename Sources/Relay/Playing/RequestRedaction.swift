import Foundation
import HTTPArchive
import Synchronization

/// Requests as they stand in archives that were redacted.
///
/// It is only asked where a request as it is has no answer, or where entries have placeholders.
final class RequestRedaction: Sendable {
    private struct Makers: Sendable {
        /// Puts placeholders into requests.
        let keyed: HARRedactor

        /// Puts the bare word there.
        let bare: HARRedactor
    }

    private let configuration: HARRedactor.Configuration?

    /// `nil` as long as nobody has asked; then `nil` within, where nothing is redacted or cannot be.
    private let makers = Mutex<Makers??>(nil)

    /// Prepares to redact requests.
    ///
    /// - Parameter configuration: What is a secret; `nil` where nothing is redacted.
    init(_ configuration: HARRedactor.Configuration?) { self.configuration = configuration }

    /// The request with the bare word in place of secrets and of placeholders; `nil` where it has no secrets.
    func masked(_ request: InterceptedRequest) -> InterceptedRequest? {
        guard let redactor = redactors?.bare else { return nil }
        let masked = Self.redacted(request, by: redactor)?.withoutKeys
        return masked == request.withoutKeys ? nil : masked
    }

    /// What the request's secrets are in an archive of the same key.
    func placeholders(of request: InterceptedRequest) -> [String] {
        redactors.flatMap { Self.redacted(request, by: $0.keyed) }?.placeholders ?? []
    }

    private var redactors: Makers? {
        makers.withLock { makers in
            if let made = makers { return made }
            let made = configuration.flatMap { try? HARRedactor($0) }.map { Makers(keyed: $0, bare: $0.masked) }
            makers = .some(made)
            return made
        }
    }

    /// The request as it is recorded, redacted and read again.
    private static func redacted(_ request: InterceptedRequest, by redactor: HARRedactor) -> InterceptedRequest? {
        var settings = Interceptor.Recording()
        settings.largestEmbeddedBody = .max
        // With all bodies embedded, nothing is written to the folder.
        let maker = EntryMaker(settings: settings, folder: FileManager.default.temporaryDirectory)
        let exchange = LiveExchange(request: request, start: Date(timeIntervalSince1970: 0), body: SpooledBody())
        guard let recorded = try? maker.request(of: exchange) else { return nil }
        return InterceptedRequest(recorded: redactor.redacted(recorded), folder: nil, withBody: true)
    }
}
