import Foundation
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error handler that logs its calls.
final class NotingErrorHandler: ErrorHandler {
    let log = Log<String>()

    func handleTrackNotFound(_ request: Request, playTracksUniquely: Bool) {
        log.append("\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "") \(playTracksUniquely)")
    }

    func handleUnknownError() { log.append("unknown") }
}
