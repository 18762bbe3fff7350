import CProcessStart
import Foundation
import FoundationInternals
import HTTPArchive
package import RelayCore
import Synchronization

/// The policy for network requests that no interceptor handles.
///
/// The environment variable `RELAY_NETWORK` sets the policy of the process from its start: `allow`, `forbid`, or
/// `forbid-except-loopback`. The trait `.network(_:)` of `RelayTesting` sets it for a test. Requests that an
/// interceptor itself sends to the network, because of its mode or a rule, are not affected.
public struct NetworkPolicy: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, CaseIterable {
        case allow
        case forbidExceptLoopback = "forbid-except-loopback"
        case forbid
    }

    private let kind: Kind

    /// Allows all requests (the default).
    public static let allow = Self(kind: .allow)

    /// Fails `http`, `https`, `ws`, `wss` and `ftp` requests that no interceptor handles.
    public static let forbid = Self(kind: .forbid)

    /// Acts like ``forbid``, but allows `localhost` and other loopback names and addresses.
    ///
    /// Only the host of a request is checked. Redirects that a session follows by itself, and proxies set in the
    /// environment, are not checked.
    public static let forbidExceptLoopback = Self(kind: .forbidExceptLoopback)

    /// The value of `RELAY_NETWORK` that sets the policy, such as `forbid-except-loopback`.
    public var description: String { kind.rawValue }

    /// Creates the policy for a value of the environment variable.
    ///
    /// - Parameter name: The value.
    /// - Throws: `invalidSetting`, with the valid values, if the value is unknown.
    init(named name: String) throws(RelayError) {
        guard let kind = Kind(rawValue: name) else {
            let names = Kind.allCases.map(\.rawValue)
            let meant = EditDistance.nearest(to: name, in: names).map { "Did you mean '\($0)'? " } ?? ""
            throw RelayError(
                .invalidSetting,
                "The environment variable \(Self.variable) has the unknown value '\(MessageText.printable(name))', so "
                    + "all requests without an interceptor fail. \(meant)Set it to one of: "
                    + "\(names.joined(separator: ", ")).")
        }
        self.init(kind: kind)
    }

    private init(kind: Kind) { self.kind = kind }

    /// Returns whether a URL may be loaded without an interceptor.
    func allows(_ url: URL) -> Bool {
        switch kind {
        case .allow: true
        case .forbid: false
        case .forbidExceptLoopback: RequestHost(of: url.absoluteString)?.isLoopback == true
        }
    }
}

// MARK: - Effective policy

extension NetworkPolicy {
    /// Checks a request that the current code starts and that no interceptor handles.
    ///
    /// - Parameter url: The URL of the request.
    /// - Returns: The error if the request must not use the network, or nil.
    static func refusal(of url: URL) -> RelayError? {
        if let error = refusalOfAll.withLock({ $0 }) { return error }
        switch scoped.map({ .success($0) }) ?? ofProcess {
        case .failure(let error): return error
        case .success(let policy):
            guard !policy.allows(url) else { return nil }
            return RelayError(
                .networkForbidden,
                """
                No interceptor handles the request for \(MessageText.url(url.absoluteString)), and the network policy \
                is '\(policy)'. Stub or record the request in the scope of an interceptor, or allow the network with \
                the environment variable \(variable) or the trait `.network(.allow)`.
                """)
        }
    }

    /// The policy of the innermost operation around this task.
    @TaskLocal private static var scoped: NetworkPolicy?

    /// Whether this task is in an operation with its own policy.
    static var isScoped: Bool { scoped != nil }

    /// The error for all requests without an interceptor, or nil.
    private static let refusalOfAll = Mutex<RelayError?>(nil)

    /// Applies this policy to the requests of an operation.
    ///
    /// The policy applies to the task of the operation and to tasks created in it. Detached tasks, threads and queues
    /// use the policy of the process.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the operation runs on; the caller's actor by default.
    ///   - operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if this platform cannot reject requests in every session, or any error thrown by
    ///   the operation.
    package func apply<Value>(
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Value
    ) async throws -> Value {
        if self != .allow {
            await Interceptor.Coverage.test()
            _ = try Interceptor.Coverage.ofScopes()
        }
        InterceptionTable.enter(nil)
        defer { InterceptionTable.leave(nil) }
        return try await Self.$scoped.withValue(self, operation: operation)
    }
}

extension NetworkPolicy {
    /// The environment variable that sets the policy of the process.
    package static let variable = "RELAY_NETWORK"

    /// The policy of the process, or the error for all requests if the value is invalid.
    static let ofProcess: Result<NetworkPolicy, RelayError> = {
        guard let name = ReplayMode.environment[variable], !name.isEmpty else { return .success(.allow) }
        return Result { () throws(RelayError) in try NetworkPolicy(named: name) }
    }()

    /// Enforces the policy of the process from its start.
    ///
    /// Capabilities that must be tested with tasks are not tested this early. If the refusal cannot be attached to a
    /// request's task, the request fails anyway.
    fileprivate static func enforceFromStart() {
        if case .success(.allow) = ofProcess { return }
        #if canImport(FoundationNetworking)
            guard let missing = RelayURLProtocol.missingForEverySession else {
                return InterceptionTable.enter(nil)
            }
            let reason = "with \(PlatformVersions.description). \(missing)"
        #else
            let reason = "on this platform."
        #endif
        // Otherwise, the program would silently use the network despite this setting.
        fail("\(variable) cannot be enforced \(reason) Unset it, or use sessions of an interceptor.")
    }

    /// Makes all requests without an interceptor fail from now on.
    ///
    /// Otherwise, requests that are intended for an interceptor would reach the network.
    package static func refuseRequests(with error: RelayError) {
        #if canImport(FoundationNetworking)
            refusalOfAll.withLock { $0 = $0 ?? error }
            if RelayURLProtocol.missingForEverySession == nil { return InterceptionTable.enter(nil) }
        #endif
        fail(error.message)
    }

    /// Ends the process with a message, because its use of the network cannot be prevented otherwise.
    private static func fail(_ message: String) -> Never {
        StandardStreams.writeToStandardError("error: \(message)\n")
        exit(EXIT_FAILURE)
    }
}

/// Called by `CProcessStart` when the process starts, if the environment variable is set.
@_cdecl("relay_process_start")
func relayProcessStart() { NetworkPolicy.enforceFromStart() }
