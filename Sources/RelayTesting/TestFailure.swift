import HTTPArchive
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// Records failures of the running test from code that has no access to a trait or test case.
package enum TestFailure {
    /// Records an error as an issue of the current Swift Testing test, at the location of the test, or as a failure of
    /// the running XCTest test case.
    ///
    /// If no test is running, the error is ignored.
    ///
    /// - Parameter error: The error.
    package static func record(_ error: any Error) {
        if let test = Test.current {
            Issue.record(error, sourceLocation: test.sourceLocation)
            return
        }
        #if canImport(XCTest)
            XCTFail("\(error)")
        #endif
    }
}
