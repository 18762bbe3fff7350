import CProcessStart
import Foundation
import FoundationInternals
import HTTPArchive
package import RelayCore
import Synchronization

/// The policy for requests to the network that no interceptor handles.
///
/// The environment variable `RELAY_NETWORK` sets the policy of the process from its start: `allow`, `forbid`, or
/// `forbid-except-loopback`. The trait `.network(_:)` of `RelayTesting` sets it for a test. A request that an
/// interceptor itself sends to the network, by its mode or by a rule, is not affected.
public struct NetworkPolicy: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String, CaseIterable {
        case allow
        case forbidExceptLoopback = "forbid-except-loopback"
        case forbid
    }

    private let kind: Kind

    /// Allows all requests (the default).
    public static let allow = Self(kind: .allow)

    /// Fails requests for `http`, `https`, `ws`, `wss` and `ftp` that no interceptor handles.
    public static let forbid = Self(kind: .forbid)

    /// Acts like ``forbid``, but allows `localhost` and the other names and addresses of this machine.
    ///
    /// Only the host of a request is checked, but not redirects that a session follows by itself or proxies set in the
    /// environment.
    public static let forbidExceptLoopback = Self(kind: .forbidExceptLoopback)

    /// The value of `RELAY_NETWORK` that sets the policy, such as `forbid-except-loopback`.
    public var description: String { kind.rawValue }

    /// Creates the policy for a value of the environment variable.
    ///
    /// - Parameter name: The value.
    /// - Throws: `invalidSetting`, naming the valid values.
    init(named name: String) throws(RelayError) {
        guard let kind = Kind(rawValue: name) else {
            let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw RelayError(
                .invalidSetting,
                "The environment variable \(Self.variable) has the unknown value '\(MessageText.printable(name))', so "
                    + "that all requests without an interceptor fail. Set it to one of: \(known).")
        }
        self.init(kind: kind)
    }

    private init(kind: Kind) { self.kind = kind }

    /// Whether a URL may be loaded without an interceptor.
    func allows(_ url: URL) -> Bool {
        switch kind {
        case .allow: true
        case .forbid: false
        case .forbidExceptLoopback: RequestHost(of: url.absoluteString)?.isLoopback == true
        }
    }
}

// MARK: - The policy in effect

extension NetworkPolicy {
    /// The policy in effect for a request.
    struct Applied {
        /// The policy, or the error of a process with an invalid setting.
        fileprivate let policy: Result<NetworkPolicy, RelayError>

        /// Checks a request.
        ///
        /// - Parameter url: The URL of the request.
        /// - Returns: The error of the request, or nil if it may reach the network.
        func refusal(of url: URL) -> RelayError? {
            switch policy {
            case .failure(let error): return error
            case .success(let policy):
                guard !policy.allows(url) else { return nil }
                return RelayError(
                    .networkForbidden,
                    """
                    No interceptor handles the request for \(MessageText.url(url.absoluteString)), and the \
                    network policy is '\(policy)'. Stub or record it in a scope of an interceptor, or allow the network \
                    with the environment variable \(NetworkPolicy.variable) or the trait `.network(.allow)`.
                    """)
            }
        }
    }

    /// The policy of the innermost operation around this task.
    @TaskLocal private static var scoped: NetworkPolicy?

    /// Whether this task is in an operation to which a policy applies.
    static var isScoped: Bool { scoped != nil }

    /// The policy of requests that are started by the current code.
    static var here: Applied {
        if let error = refusalOfAll.withLock({ $0 }) { return Applied(policy: .failure(error)) }
        return Applied(policy: scoped.map { .success($0) } ?? ofProcess)
    }

    /// The error of all requests without an interceptor, or nil.
    private static let refusalOfAll = Mutex<RelayError?>(nil)

    /// Applies this policy to the requests of an operation.
    ///
    /// The policy applies to the task of the operation and to tasks created in it. Detached tasks, threads and queues
    /// use the policy of the process.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the operation runs on; the caller's by default.
    ///   - operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if requests of every session cannot be refused; the error of the operation.
    package func apply<Value>(
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Value
    ) async throws -> Value {
        if self != .allow { _ = try Interceptor.Coverage.ofScopes() }
        InterceptionTable.enterWithoutInterceptor()
        defer { InterceptionTable.leaveWithoutInterceptor() }
        return try await Self.$scoped.withValue(self, operation: operation)
    }
}

extension NetworkPolicy {
    /// The environment variable that sets the policy of the process.
    package static let variable = "RELAY_NETWORK"

    /// The policy of the process, or an error that fails all requests if the value is invalid.
    static let ofProcess: Result<NetworkPolicy, RelayError> = {
        guard let name = ReplayMode.environment[variable], !name.isEmpty else { return .success(.allow) }
        return Result { () throws(RelayError) in try NetworkPolicy(named: name) }
    }()

    /// Enforces the policy of the process from its start.
    ///
    /// Capabilities that must be tested with tasks are not tested so early. A request that cannot be connected with
    /// its refusal fails as well.
    fileprivate static func enforceFromStart() {
        if case .success(.allow) = ofProcess { return }
        #if canImport(FoundationNetworking)
            guard let missing = RelayURLProtocol.missingForEverySession else {
                return InterceptionTable.enterWithoutInterceptor()
            }
            let reason = "with \(PlatformVersions.description). \(missing)"
        #else
            let reason = "on this platform."
        #endif
        // Otherwise, the program would silently use the network against its setting.
        fail("\(variable) cannot be enforced \(reason) Unset it, or use sessions of an interceptor.")
    }

    /// Makes all requests without an interceptor fail from now on, because they would reach the network although an
    /// interceptor was meant for them.
    package static func refuseRequests(with error: RelayError) {
        #if canImport(FoundationNetworking)
            refusalOfAll.withLock { $0 = $0 ?? error }
            if RelayURLProtocol.missingForEverySession == nil { return InterceptionTable.enterWithoutInterceptor() }
        #endif
        fail(error.message)
    }

    /// Ends the process with a message, where nothing else could keep it from the network.
    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("error: \(message)\n".utf8))
        exit(EXIT_FAILURE)
    }
}

/// Called by `CProcessStart` when the process starts, if the environment variable is set.
@_cdecl("relay_process_start")
func relayProcessStart() { NetworkPolicy.enforceFromStart() }
