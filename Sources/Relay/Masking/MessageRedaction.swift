import Foundation
import HTTPArchive
import Synchronization

/// Requests as messages show them.
///
/// A mask stands for what well-known names say is a secret, and the word `REDACTED` for what is one besides by its form or
/// by the user's rules.
final class MessageRedaction: Sendable {
    private let configuration: HARRedactor.Configuration

    /// `nil` as long as there was no message; then `nil` within where the user's rules are none.
    private let redactor = Mutex<HARRedactor??>(nil)

    /// Prepares to show requests.
    ///
    /// - Parameter configuration: What is a secret; `nil` where it is recorded, and still is none for messages.
    init(_ configuration: HARRedactor.Configuration?) {
        var configuration = configuration ?? .standard
        configuration.allowedValues.insert(SecretNames.mask)
        self.configuration = configuration
    }

    /// The request without secrets.
    func shown(_ request: InterceptedRequest) -> InterceptedRequest {
        var shown = request.withoutSecrets
        guard let redactor = made else { return shown }
        shown.url = redactor.redacted(url: shown.url)
        shown.headers = shown.headers.map {
            HeaderField(name: $0.name, value: redactor.redacted(header: $0.value, named: $0.name))
        }
        let type = request.headers.values(named: "content-type").first
        shown.body = shown.body.map { redactor.redacted(body: $0, mediaType: type) }
        return shown
    }

    /// A URL, or its end from the path or the question mark on, in which names have been masked.
    func shown(url: String) -> String { made?.redacted(url: url) ?? url }

    /// A difference, in whose query names have been masked.
    func shown(_ difference: MatchDifference) -> MatchDifference {
        guard ["path", "query"].contains(difference.part) else { return difference }
        let mark = difference.part == "query" ? "?" : ""
        let texts = [difference.recorded, difference.asked].map { text in
            text.map { String(shown(url: mark + $0).dropFirst(mark.count)) }
        }
        return MatchDifference(difference.part, recorded: texts[0], asked: texts[1])
    }

    private var made: HARRedactor? {
        redactor.withLock { redactor in
            if let made = redactor { return made }
            let made = HARRedactor(masking: configuration)
            redactor = .some(made)
            return made
        }
    }
}
