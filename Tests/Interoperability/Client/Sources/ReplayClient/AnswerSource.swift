import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the answers come from.
enum AnswerSource {
    static let usage = "(live | record embed|attach ARCHIVE | replay ARCHIVE)"

    /// The site itself, without Relay.
    case live

    /// The site, with Relay in between, which records.
    case record(Interceptor)

    /// An archive.
    case replay(Interceptor)

    /// The source that the arguments name; `nil` when they are wrong.
    init?(_ arguments: some Collection<String>) throws {
        let arguments = Array(arguments)
        switch (arguments.first, arguments.count) {
        case ("live", 1): self = .live
        case ("record", 3):
            var configuration = Interceptor.Configuration()
            // Placeholders are shorter or longer than secrets: what is compared is what the site sent.
            configuration.recording.redaction = nil
            configuration.recording.bodies = arguments[1] == "attach" ? .attach : .embed
            let archive = URL(fileURLWithPath: arguments[2])
            self = .record(try Interceptor(recordingTo: archive, configuration: configuration))
        case ("replay", 2): self = .replay(try Interceptor(archive: URL(fileURLWithPath: arguments[1])))
        default: return nil
        }
    }

    /// Whether a server answers.
    var isLive: Bool {
        switch self {
        case .live, .record: true
        case .replay: false
        }
    }

    /// A session of its own, with cookies and a cache that are empty.
    func session() -> URLSession {
        switch self {
        case .live: URLSession(configuration: .ephemeral)
        case .record(let interceptor), .replay(let interceptor): interceptor.session(configuration: .ephemeral)
        }
    }

    /// Waits until everything is recorded.
    ///
    /// - Throws: Why something could not be.
    func finish() async throws {
        guard case .record(let interceptor) = self else { return }
        if let failure = await interceptor.finishRecording()?.failures.first { throw failure }
    }
}
