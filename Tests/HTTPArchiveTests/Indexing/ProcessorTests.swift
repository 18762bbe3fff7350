import CPlatform
import Foundation
import Testing

@Test func `the number of processors is at least one and at most all`() {
    #expect((1...ProcessInfo.processInfo.processorCount).contains(Int(processors_available())))
}
