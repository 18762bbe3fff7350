#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    import Relay
    @testable import RelayCore
    @testable import RelayURLSession

    @Suite(.limited) struct DirectQueueTests {
        @Test func `work items run one at a time, in order`() async {
            let queue = DirectQueue()
            let log = Log<Int>()
            await withCheckedContinuation { continuation in
                for number in 0..<100 {
                    if number.isMultiple(of: 3) {
                        queue.addOperation(BlockOperation { log.append(number) })
                    } else {
                        queue.addOperation { log.append(number) }
                    }
                }
                queue.addOperation { continuation.resume() }
            }
            #expect(log.events == Array(0..<100))
        }

        @Test func `a session has its own queue unless one is passed`() {
            let interceptor = Interceptor.saying("x")
            let queue = OperationQueue()
            #expect(interceptor.session(delegateQueue: queue).delegateQueue === queue)
            #expect(interceptor.session().delegateQueue !== interceptor.session().delegateQueue)
        }
    }
#endif
