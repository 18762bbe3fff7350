import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct TaskLoadTests {
    @Test func `an action added to an ended exchange runs immediately and is not retained`() throws {
        let request = URLRequest(url: try #require(URL(string: "http://shop.invalid/")))
        weak var kept: TaskLoad?
        var isStopped = false
        do {
            let task = URLSession.shared.dataTask(with: request)
            let exchange = TaskLoad(of: task, loading: request, with: .with()) { _, _ in }
            kept = exchange
            exchange.cancel()
            let stop = { isStopped = true }
            nonisolated(unsafe) let stopping = stop
            exchange.cancelling { withExtendedLifetime(exchange) { stopping() } }
        }
        #expect(isStopped)
        #expect(kept == nil)
    }
}
