public import Relay
public import Testing

/// Sets which requests of a test may reach the network though no interceptor handles them, as `@Test(.network(.forbid))`.
///
/// The policy replaces that of the environment variable `RELAY_NETWORK` for the test. Requests that the test's interceptor
/// sends to the network, by its mode or by a rule, are not affected. It holds for the task of the test and the tasks made in
/// it; detached tasks, threads and queues have the policy of the process, so that other tests are not disturbed.
///
/// The trait of a suite holds for every test below; of several, the innermost one holds.
public struct NetworkTrait: TestTrait, SuiteTrait, TestScoping {
    /// The policy.
    public let policy: NetworkPolicy

    init(policy: NetworkPolicy) { self.policy = policy }

    /// `true`: the trait of a suite holds for every test below.
    public var isRecursive: Bool { true }

    /// Runs a test under the policy.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its case.
    ///   - function: The test's code.
    /// - Throws: Rethrows the error of the test's code.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await policy.apply { try await function() }
    }
}

extension Trait where Self == NetworkTrait {
    /// Sets which requests of a test, or of each test of a suite, may reach the network though no interceptor handles them.
    ///
    /// ```swift
    /// @Suite(.network(.forbid)) struct ShopTests { … }
    /// ```
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The trait.
    public static func network(_ policy: NetworkPolicy) -> Self { NetworkTrait(policy: policy) }
}
