package import HTTPArchive
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// What is wrong with the test that runs, where neither a trait nor a test case is at hand.
package enum TestFailure {
    /// Records an error as an issue of the current test of Swift Testing, at its first line, or else as a failure of the
    /// test case of XCTest that runs.
    ///
    /// Where no test runs, nothing happens.
    ///
    /// - Parameter error: What is wrong.
    package static func record(_ error: HARError) {
        if let test = Test.current {
            Issue.record(error, sourceLocation: test.sourceLocation)
            return
        }
        #if canImport(XCTest)
            XCTFail(error.description)
        #endif
    }
}
