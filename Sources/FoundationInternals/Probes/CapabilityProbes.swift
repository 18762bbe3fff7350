#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#endif

/// The tests of the capabilities.
package enum CapabilityProbes {
    #if canImport(FoundationNetworking)
        /// Tests the capabilities that scopes need.
        ///
        /// Only the first call runs the test, which takes a few milliseconds.
        ///
        /// - Returns: The missing capabilities.
        package static func missingForScopes() -> [MissingCapability] {
            SessionProbe.outcome
            return CapabilityTable.missing.filter { [.scopes, .requests].contains($0.capability.need) }
        }

        /// Returns whether a request belongs to the test, which loads the request itself.
        package static func isProbe(_ request: URLRequest) -> Bool { ProbeRequest.active(for: request.url) != nil }
    #endif

    /// Tests all capabilities that have not been tested yet.
    package static func testAll() {
        #if canImport(FoundationNetworking)
            SessionProbe.outcome
            if let refusal = Interposition.refusal {
                CapabilityTable.lose(.transferLog, because: refusal)
            } else {
                TransferProbe.outcome
            }
            if !SharedSessionClasses.isLive { SharedSessionClasses.lose() }
        #endif
        TaskLife.test()
    }
}
