import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The source of responses.
enum AnswerSource {
    static let usage = "(live | record embed|attach ARCHIVE | replay ARCHIVE)"

    /// The site, without Relay.
    case live

    /// The site, with a recording interceptor.
    case record(Interceptor)

    /// An archive.
    case replay(Interceptor)

    /// Parses the arguments, or returns nil if they are invalid.
    init?(_ arguments: some Collection<String>) throws {
        let arguments = Array(arguments)
        switch (arguments.first, arguments.count) {
        case ("live", 1): self = .live
        case ("record", 3):
            var configuration = Interceptor.Configuration()
            // The comparison needs the original responses, and placeholders differ in length from secrets.
            configuration.recording.redaction = nil
            configuration.recording.bodies = arguments[1] == "attach" ? .attach : .embed
            let archive = URL(fileURLWithPath: arguments[2])
            self = .record(try Interceptor(recordingTo: archive, configuration: configuration))
        case ("replay", 2):
            var configuration = Interceptor.Configuration()
            configuration.movedDates = .none
            let archive = URL(fileURLWithPath: arguments[1])
            self = .replay(try Interceptor(archive: archive, configuration: configuration))
        default: return nil
        }
    }

    /// Whether responses come from a server.
    var isLive: Bool {
        switch self {
        case .live, .record: true
        case .replay: false
        }
    }

    /// Returns a new session with an empty cookie storage and an empty cache.
    func session() -> URLSession {
        switch self {
        case .live: URLSession(configuration: .ephemeral)
        case .record(let interceptor), .replay(let interceptor): interceptor.session(configuration: .ephemeral)
        }
    }

    /// Waits until everything is recorded.
    ///
    /// - Throws: The error of a failed recording.
    func finish() async throws {
        guard case .record(let interceptor) = self else { return }
        if let failure = await interceptor.finishRecording()?.failures.first { throw failure }
    }
}
