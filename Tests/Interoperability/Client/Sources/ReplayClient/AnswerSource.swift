import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the answers come from.
enum AnswerSource {
    static let usage = "live | replay ARCHIVE"

    /// The site itself, without Relay.
    case live

    /// An archive.
    case replay(Interceptor)

    /// The source that the arguments name; `nil` when they are wrong.
    init?(_ arguments: some Collection<String>) throws {
        switch (arguments.first, arguments.count) {
        case ("live", 1): self = .live
        case ("replay", 2):
            self = .replay(try Interceptor(archive: URL(fileURLWithPath: Array(arguments)[1])))
        default: return nil
        }
    }

    /// Whether a server answers.
    var isLive: Bool {
        switch self {
        case .live: true
        case .replay: false
        }
    }

    /// A session of its own, with cookies and a cache that are empty.
    func session() -> URLSession {
        switch self {
        case .live: URLSession(configuration: .ephemeral)
        case .replay(let interceptor): interceptor.session(configuration: .ephemeral)
        }
    }
}
