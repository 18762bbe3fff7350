public import Relay
public import Testing

/// A trait that sets the network policy for requests that no interceptor handles, as in `@Test(.network(.forbid))`.
///
/// The policy overrides the environment variable `RELAY_NETWORK` for the test. It does not affect requests that the
/// test's interceptor sends to the network because of its mode or a rule. It applies to the test's task and its child
/// tasks. Detached tasks, threads, and queues use the policy of the process, so that other tests are not affected.
///
/// The trait of a suite applies to all tests in it. If there are several traits, the innermost one applies.
public struct NetworkTrait: TestTrait, SuiteTrait, TestScoping {
    /// The policy.
    public let policy: NetworkPolicy

    init(policy: NetworkPolicy) { self.policy = policy }

    /// Whether the trait of a suite applies to all tests in it; always `true`.
    public var isRecursive: Bool { true }

    /// Runs a test with the policy.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: The test's code.
    /// - Throws: Any error thrown by the test's code.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await policy.apply { try await function() }
    }
}

extension Trait where Self == NetworkTrait {
    /// Sets the network policy of a test, or of each test in a suite, for requests that no interceptor handles.
    ///
    /// ```swift
    /// @Suite(.network(.forbid)) struct ShopTests { … }
    /// ```
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The trait.
    public static func network(_ policy: NetworkPolicy) -> Self { NetworkTrait(policy: policy) }
}
