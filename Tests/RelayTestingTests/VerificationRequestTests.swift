import Testing

@testable import RelayTesting

/// Tests of the environment variable that requests verification, without the trait of the package.
@Suite struct VerificationRequestTests {
    #if !Verifying
        @Test(arguments: [("1", true), ("weekly", true), ("0", false), ("", false)])
        func `a request without the trait is an issue`(value: String, isIssue: Bool) {
            let message = VerificationRequest.missingTrait(in: ["RELAY_VERIFY": value])
            #expect((message != nil) == isIssue)
            #expect(message?.contains("Verifying") ?? true)
        }

        @Test func `no request is no issue`() {
            #expect(VerificationRequest.missingTrait(in: [:]) == nil)
        }
    #endif
}
