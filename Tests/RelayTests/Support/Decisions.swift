import Foundation
import HTTPArchive
import Relay
import Synchronization

@testable import RelayCore
@testable import RelayURLSession

extension Interceptor {
    /// Returns the decision on a request, and whether it was made immediately.
    func decide(on request: InterceptedRequest) -> (decision: Decision, isImmediate: Bool) {
        let decided = Mutex<(decision: Decision, isImmediate: Bool)?>(nil)
        let isDecided = DispatchSemaphore(value: 0)
        let caller = ObjectIdentifier(Thread.current)
        decide(on: request) { decision in
            decided.withLock { $0 = (decision, ObjectIdentifier(Thread.current) == caller) }
            isDecided.signal()
        }
        isDecided.wait()
        // The work item that made the decision counts as pending until it has returned.
        queue.sync {}
        guard let decided = decided.withLock({ $0 }) else {
            preconditionFailure("The interceptor made no decision on the request.")
        }
        return decided
    }

    /// Returns the response to a request if it is available immediately.
    func immediateResponse(to request: InterceptedRequest) -> InterceptedResponse? {
        let (decision, isImmediate) = decide(on: request)
        return isImmediate ? try? decision.immediateReply?.result.get() : nil
    }
}

extension ArchiveLayers {
    /// Returns the response to a request, and marks its entry as used.
    func play(_ request: InterceptedRequest) -> (archive: String, entry: Int, reply: Reply)? {
        var search = search(for: request)
        // A search that is allowed to read entries never throws.
        guard let selected = try? search.select(reading: .max) else { return nil }
        return (selected.player.entries.name, selected.number, selected.cached ?? selected.read(inParts: false).reply)
    }

    /// Returns the response to a request if no entry has to be read for it, and marks its entry as used.
    func playImmediately(_ request: InterceptedRequest) -> InterceptedResponse? {
        var search = search(for: request)
        return try? search.select(reading: 0)?.cached?.result.get()
    }
}
