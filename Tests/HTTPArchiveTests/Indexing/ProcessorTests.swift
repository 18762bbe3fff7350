import CPlatform
import Foundation
import Testing

@Test(.limited) func `the number of available processors is at least one and at most the total`() {
    #expect((1...ProcessInfo.processInfo.processorCount).contains(Int(processors_available())))
}
