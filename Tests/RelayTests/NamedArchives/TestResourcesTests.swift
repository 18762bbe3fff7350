import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct TestResourcesTests {
    @Test func `only one folder of a bundle is searched`() {
        #expect(TestResources.folders(in: .main) == [Bundle.main.resourceURL ?? Bundle.main.bundleURL])
    }

    @Test func `without a bundle, the folder of the tests is searched first, and then the bundles in it`() throws {
        let folders = TestResources.folders(in: nil)
        let first = try #require(folders.first)
        #if os(Linux)
            #expect(first == Bundle.main.resourceURL ?? Bundle.main.bundleURL)
        #endif
        #expect(folders.dropFirst().allSatisfy { $0.path.hasPrefix(first.path) })
        #expect(Set(folders.map(\.path)).count == folders.count)
    }
}
