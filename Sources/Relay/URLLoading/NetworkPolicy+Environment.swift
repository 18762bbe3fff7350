import CProcessStart
import HTTPArchive

extension NetworkPolicy {
    /// The environment variable that sets the policy of the process.
    package static let variable = "RELAY_NETWORK"

    /// The policy of the process; an unknown value is an error, with which all requests fail.
    static let ofProcess: Result<NetworkPolicy, HARError> = {
        guard let name = ReplayMode.environment[variable], !name.isEmpty else { return .success(.allow) }
        return Result { () throws(HARError) in try NetworkPolicy(named: name) }
    }()

    /// Makes sessions ask for the policy of the process, from its start on.
    fileprivate static func enforceFromStart() {
        if case .success(.allow) = ofProcess { return }
        // Without this, the program would use the network against its setting, unnoticed.
        precondition(
            Interceptor.coverage == .everySession,
            "\(variable) cannot be enforced on this platform: unset it, or use sessions of an interceptor.")
        InterceptionTable.enterWithoutInterceptor()
    }
}

/// Called by `CProcessStart` when the process starts, if the environment variable is set.
@_cdecl("relay_process_start")
func relayProcessStart() { NetworkPolicy.enforceFromStart() }
