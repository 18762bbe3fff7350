import CPlatform
import Foundation
import Testing

@Test func `the process may use one processor at least, and no more than there are`() {
    #expect((1...ProcessInfo.processInfo.processorCount).contains(Int(processors_available())))
}
